#include "cicu.h"

#include <pthread.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>

// Each transliterator is opened once and never closed; neither changes state while it converts.
static pthread_once_t once = PTHREAD_ONCE_INIT;
static UTransliterator *to_simplified, *to_traditional;

static UTransliterator *opened(const char *name) {
  UChar id[32];
  u_uastrcpy(id, name);
  UErrorCode error = U_ZERO_ERROR;
  UTransliterator *opened = utrans_openU(id, -1, UTRANS_FORWARD, NULL, 0, NULL, &error);
  return U_SUCCESS(error) ? opened : NULL;
}

static void open_both(void) {
  to_simplified = opened("Hant-Hans");
  to_traditional = opened("Hans-Hant");
}

int32_t cicu_convert_chinese(const uint8_t *text, int32_t length, int32_t traditional, uint8_t *converted, int32_t capacity) {
  enum { LONGEST = 256 };
  pthread_once(&once, open_both);
  UTransliterator *with = traditional ? to_traditional : to_simplified;
  UErrorCode error = U_ZERO_ERROR;
  UChar wide[LONGEST];
  int32_t count = 0, written = 0;
  if (with == NULL) return -1;
  // The other half of the buffer is for a conversion that lengthens the text.
  u_strFromUTF8(wide, LONGEST / 2, &count, (const char *)text, length, &error);
  if (U_FAILURE(error)) return -1;
  int32_t limit = count;
  utrans_transUChars(with, wide, &count, LONGEST, 0, &limit, &error);
  u_strToUTF8((char *)converted, capacity, &written, wide, count, &error);
  return U_SUCCESS(error) && written <= capacity ? written : -1;
}
