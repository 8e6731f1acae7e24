#include <stdlib.h>
#include <unicode/ucnv.h>
#include <unicode/ustring.h>

#include "cicu.h"

int32_t cicu_decode(const char *charset, const char *bytes, int32_t length, char *text, int32_t capacity) {
  UErrorCode error = U_ZERO_ERROR;
  UConverter *converter = ucnv_open(charset, &error);
  if (U_FAILURE(error)) return -1;
  int32_t written = -1;
  // No byte of any charset becomes more than two UTF-16 units.
  UChar *units = length <= INT32_MAX / 8 ? malloc(sizeof(UChar) * ((size_t)length * 2 + 1)) : NULL;
  ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &error);
  if (units != NULL) {
    int32_t count = ucnv_toUChars(converter, units, length * 2 + 1, bytes, length, &error);
    u_strToUTF8(text, capacity, &written, units, count, &error);
    if (U_FAILURE(error)) written = -1;
  }
  free(units);
  ucnv_close(converter);
  return written;
}
