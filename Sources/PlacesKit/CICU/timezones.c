#include <unicode/ucal.h>
#include <unicode/uenum.h>
#include <unicode/ustring.h>

#include "cicu.h"

int32_t cicu_zone_offsets(const char *region, double seconds, cicu_zone_offset *offsets, int32_t capacity) {
  UErrorCode error = U_ZERO_ERROR;
  UEnumeration *zones = ucal_openTimeZoneIDEnumeration(UCAL_ZONE_TYPE_CANONICAL_LOCATION, region, NULL, &error);
  int32_t count = 0, length;
  const UChar *zone;
  while (U_SUCCESS(error) && (zone = uenum_unext(zones, &length, &error)) != NULL && U_SUCCESS(error)) {
    UCalendar *calendar = ucal_open(zone, length, "", UCAL_GREGORIAN, &error);
    ucal_setMillis(calendar, seconds * 1000, &error);
    int32_t standard = ucal_get(calendar, UCAL_ZONE_OFFSET, &error) / 60000;
    int32_t current = standard + ucal_get(calendar, UCAL_DST_OFFSET, &error) / 60000;
    ucal_close(calendar);
    if (U_FAILURE(error)) break;
    int32_t known = 0;
    while (known < count && (offsets[known].standard != standard || offsets[known].current != current)) known++;
    if (known == count && count < capacity) offsets[count++] = (cicu_zone_offset){standard, current};
  }
  uenum_close(zones);
  return count;
}
