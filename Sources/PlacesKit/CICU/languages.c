#include <string.h>
#include <unicode/ures.h>
#include <unicode/ustring.h>

#include "cicu.h"

// The status of the language at `index` of a territory: 2 for official, 1 for de facto official, 0 otherwise; sets its name.
static int status(UResourceBundle *territory, int32_t index, const char **name) {
  UErrorCode error = U_ZERO_ERROR;
  UResourceBundle *language = ures_getByIndex(territory, index, NULL, &error);
  int32_t length = 0;
  const UChar *text = ures_getStringByKey(language, "officialStatus", &length, &error);
  // "official", "de_facto_official", and "official_regional", which does not hold for the whole territory.
  int result = U_FAILURE(error) ? 0 : length == 8 ? 2 : text[0] == 'd' ? 1 : 0;
  // The key is in ICU's data, which outlives the bundle.
  *name = language == NULL ? NULL : ures_getKey(language);
  ures_close(language);
  return *name == NULL ? 0 : result;
}

int32_t cicu_official_languages(const char *region, char *languages, int32_t capacity) {
  UErrorCode error = U_ZERO_ERROR;
  UResourceBundle *data = ures_openDirect(NULL, "supplementalData", &error);
  UResourceBundle *all = ures_getByKey(data, "territoryInfo", NULL, &error);
  UResourceBundle *territory = ures_getByKey(all, region, NULL, &error);
  int32_t written = 0, count = U_SUCCESS(error) ? ures_getSize(territory) : 0;
  for (int wanted = 2; wanted > 0; wanted--) {
    for (int32_t index = 0; index < count; index++) {
      const char *name;
      if (status(territory, index, &name) != wanted) continue;
      int32_t length = (int32_t)strlen(name);
      if (written + length + 1 > capacity) continue;
      if (written > 0) languages[written++] = ' ';
      memcpy(languages + written, name, (size_t)length);
      written += length;
    }
  }
  ures_close(territory);
  ures_close(all);
  ures_close(data);
  return written;
}

int32_t cicu_language_named(const char *name, char *language, int32_t capacity) {
  UErrorCode error = U_ZERO_ERROR;
  UChar wanted[64], known[128];
  int32_t length = 0;
  u_strFromUTF8(wanted, 64, &length, name, -1, &error);
  if (U_FAILURE(error) || length == 0) return 0;
  for (const char *const *tag = uloc_getISOLanguages(); *tag != NULL; tag++) {
    const char *readers[] = {*tag, "en"};
    for (int i = 0; i < 2; i++) {
      error = U_ZERO_ERROR;
      int32_t count = uloc_getDisplayLanguage(*tag, readers[i], known, 128, &error);
      if (U_FAILURE(error) || u_strCaseCompare(known, count, wanted, length, 0, &error) != 0) continue;
      int32_t size = (int32_t)strlen(*tag);
      if (size > capacity) return 0;
      memcpy(language, *tag, (size_t)size);
      return size;
    }
  }
  return 0;
}
