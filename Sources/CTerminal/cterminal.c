#define _XOPEN_SOURCE 700
#include "cterminal.h"

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

static locale_t utf8;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_locale(void) { utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int cterminal_width(uint32_t code_point) {
  pthread_once(&once, open_locale);
  if (utf8 == (locale_t)0) return 1;
  locale_t before = uselocale(utf8);
  int width = wcwidth((wchar_t)code_point);
  uselocale(before);
  return width < 0 ? 1 : width;
}

// These sequences turn xterm's "bracketed paste" on and off. While it is on, the terminal marks pasted text, so that line ends in it are
// not taken for the Enter key.
static const char mark_pastes[] = "\033[?2004h";
static const char unmark_pastes[] = "\033[?2004l";

// An error is ignored: without the marks, pasted text is read like typed keys.
static void send(const char *sequence, size_t length) {
  if (write(STDERR_FILENO, sequence, length) < 0) return;
}

static struct termios before;
static volatile sig_atomic_t is_changed;
static int terminal;

// Signals that end the process, sent by another process or caused by this one's own faults.
static const int endings[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE};
static const size_t endings_count = sizeof endings / sizeof endings[0];

// Calls only functions that are allowed in a signal handler (signal-safety(7)), then raises the signal with its default action.
static void end(int number) {
  if (is_changed) {
    send(unmark_pastes, sizeof unmark_pastes - 1);
    tcsetattr(terminal, TCSANOW, &before);
  }
  raise(number);
}

int cterminal_keys(int descriptor) {
  if (tcgetattr(descriptor, &before) != 0) return -1;
  terminal = descriptor;
  struct sigaction action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < endings_count; i++) sigaction(endings[i], &action, NULL);
  struct termios keys = before;
  keys.c_lflag &= (tcflag_t) ~(ICANON | ECHO | ISIG);
  keys.c_iflag &= (tcflag_t) ~(ICRNL | IXON);
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  is_changed = 1;
  if (tcsetattr(descriptor, TCSADRAIN, &keys) == 0) {
    send(mark_pastes, sizeof mark_pastes - 1);
    return 0;
  }
  is_changed = 0;
  return -1;
}

void cterminal_restore(int descriptor) {
  if (is_changed) {
    send(unmark_pastes, sizeof unmark_pastes - 1);
    tcsetattr(descriptor, TCSADRAIN, &before);
  }
  is_changed = 0;
  for (size_t i = 0; i < endings_count; i++) signal(endings[i], SIG_DFL);
}
