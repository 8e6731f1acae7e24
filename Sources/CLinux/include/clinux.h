// System calls that Swift's Glibc module lacks, in plain types.
#ifndef CLINUX_H
#define CLINUX_H
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/un.h>
/// accept4(2) with SOCK_NONBLOCK | SOCK_CLOEXEC; the descriptor, or -1 with errno.
int clinux_accept(int listener);
#endif
