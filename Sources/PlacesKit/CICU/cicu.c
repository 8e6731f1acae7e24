#include "cicu.h"

#include <unicode/uchar.h>

int32_t cicu_unicode_version(void) {
  UVersionInfo version;
  u_getUnicodeVersion(version);
  return version[0] * 100 + version[1];
}
