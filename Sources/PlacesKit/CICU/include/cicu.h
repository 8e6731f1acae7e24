// What the Text module needs of ICU, in plain types: ICU's own headers clash with Foundation's copy of ICU.
#ifndef CICU_H
#define CICU_H
#include <stdint.h>
/// The version of ICU's Unicode data, as major * 100 + minor.
int32_t cicu_unicode_version(void);
#endif
