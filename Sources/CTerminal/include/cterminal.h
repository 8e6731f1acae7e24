// Functions of the C library that Swift's Glibc module lacks, in plain types.
#ifndef CTERMINAL_H
#define CTERMINAL_H
#include <stdint.h>

// The number of columns of a code point on a terminal: 0 for marks, 2 for wide characters, 1 for unknown ones
// (wcwidth(3) in the locale C.UTF-8).
int cterminal_width(uint32_t code_point);

// Sets the terminal to deliver each key immediately and without echo, Ctrl-C too, and to mark pasted text. A signal that ends the process
// first restores the terminal. Returns 0, or -1 with errno.
int cterminal_keys(int descriptor);
// Restores the terminal and the signals as they were before `cterminal_keys`; does nothing if the terminal was not changed.
void cterminal_restore(int descriptor);
#endif
