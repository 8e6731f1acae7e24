// The C door to toml++.
#ifndef CTOML_H
#define CTOML_H
#include <stddef.h>
#endif
