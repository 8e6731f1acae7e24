// What placesctl needs of the C library beyond Swift's Glibc module, in plain types.
#ifndef CTERMINAL_H
#define CTERMINAL_H
#include <stdint.h>

// Columns that a code point takes on a terminal: 0 for marks, 2 for wide ones, 1 for what the C library does not know
// (wcwidth(3) in the locale C.UTF-8).
int cterminal_width(uint32_t code_point);

// Has the terminal hand over each key as it is pressed, without echo, Ctrl-C too. A signal that ends the process puts the
// terminal back first. 0, or -1 with errno.
int cterminal_keys(int descriptor);
// Puts the terminal and the signals back as they were before `cterminal_keys`; does nothing to a terminal that was not changed.
void cterminal_restore(int descriptor);
#endif
