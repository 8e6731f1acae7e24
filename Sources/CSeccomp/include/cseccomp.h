// The C door to libseccomp and to the limits a provider process is started under.
#ifndef CSECCOMP_H
#define CSECCOMP_H
#include <stdint.h>
#endif
