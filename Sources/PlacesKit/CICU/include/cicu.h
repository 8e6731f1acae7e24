// The parts of ICU that the Text module needs, in types that Swift imports: ICU's own headers clash with Foundation's copy of ICU.
#ifndef CICU_H
#define CICU_H
#include <stdint.h>

/// A word of a text: a run of letters, digits and marks. Byte and code point positions are half-open.
typedef struct {
  int32_t byte_start, byte_end;
  int32_t start, end;
  /// The four letters of the ISO 15924 code of the first letter that has one, such as `Latn`; `Zyyy` for digits alone.
  char script[4];
  /// 1 if the word starts with a digit.
  int32_t number;
} cicu_word;

/// Finds the words of a UTF-8 text. Digits joined by `/` or `-` are one word, such as `3191/17`.
/// Returns their number, of which the first `capacity` are written.
int32_t cicu_words(const uint8_t *text, int32_t length, cicu_word *words, int32_t capacity);

/// Folds one word of UTF-8 text, to lower-case ASCII if ICU can transliterate its script: applies compatibility case folding (UAX 15,
/// NFKC_Casefold), removes marks, and converts other scripts to Latin and Latin to ASCII. Only letters, digits, and `/` and `-` between
/// digits remain. Returns the number of bytes written to `folded`, or -1 if the word is too long for it or not UTF-8.
int32_t cicu_fold(const uint8_t *word, int32_t length, uint8_t *folded, int32_t capacity);

/// Folds a word that contains only digits, `/`, `-` and letters whose folding does not depend on their neighbours, such as nearly all
/// Latin, Cyrillic, Hebrew, Arabic and Georgian letters, without ICU's rules. Returns -1 for any other word, or if `folded` is too small.
int32_t cicu_fold_letters(const uint8_t *word, int32_t length, uint8_t *folded, int32_t capacity);

/// Writes the letters, digits and marks of a text without differences of case and width (UAX 15, NFKC_Casefold). Returns the number
/// of bytes written to `spelled`, or -1 if the text is too long for it or not UTF-8.
int32_t cicu_spell(const uint8_t *text, int32_t length, uint8_t *spelled, int32_t capacity);

/// Writes a Chinese text of at most 128 UTF-16 units in traditional or in simplified characters (CLDR's Hans-Hant and Hant-Hans). Returns
/// the number of bytes written to `converted`, or -1 if the text is too long or not UTF-8.
int32_t cicu_convert_chinese(const uint8_t *text, int32_t length, int32_t traditional, uint8_t *converted, int32_t capacity);

/// Writes a text in normalization form C (UAX 15). Returns the number of UTF-16 units written to `composed`, or -1 if `composed` is too
/// small.
int32_t cicu_compose(const uint16_t *text, int32_t length, uint16_t *composed, int32_t capacity);

/// 1 if a language tag names a language that CLDR knows, otherwise 0.
int32_t cicu_language_is_known(const char *language);

/// The language with this name in itself or in English, without regard to case, such as `de` for `Deutsch`; returns its length, 0 if there
/// is none.
int32_t cicu_language_named(const char *name, char *language, int32_t capacity);

/// 1 if the code point is a mark that belongs to the letter before it, or a zero-width joiner or non-joiner, which occur within words;
/// otherwise 0.
int32_t cicu_is_mark(uint32_t code_point);

/// The language that most people of a region write, as `de` for `DE`; returns its length, 0 if there is none.
int32_t cicu_language_of_region(const char *region, char *language, int32_t capacity);

/// The languages that are official in a whole region, by law and then in fact, as `de fr it` for `CH` (CLDR's territoryInfo), with
/// spaces between them; returns the length, 0 if there are none.
int32_t cicu_official_languages(const char *region, char *languages, int32_t capacity);

/// The most likely region of a language tag, as `TW` for `zh-Hant`; returns its length, 0 if there is none.
int32_t cicu_region_of_language(const char *language, char *region, int32_t capacity);

/// The name of a region in a language, UTF-8, by CLDR; returns its length, 0 if CLDR has none.
int32_t cicu_region_name(const char *region, const char *language, char *name, int32_t capacity);

/// Converts bytes of a charset, by its ICU or IANA name, to UTF-8. Returns the number of bytes written to `text`, or -1 if the charset is
/// unknown, the bytes are invalid, or `text` is too small.
int32_t cicu_decode(const char *charset, const char *bytes, int32_t length, char *text, int32_t capacity);

/// The time of a time zone in minutes east of UTC: without and with daylight-saving time.
typedef struct {
  int32_t standard, current;
} cicu_zone_offset;

/// Writes the distinct times of a region's time zones at an instant in seconds since 1970 (IANA time zone database), at most `capacity`.
/// Returns their number; 0 for an unknown region.
int32_t cicu_zone_offsets(const char *region, double seconds, cicu_zone_offset *offsets, int32_t capacity);

/// Opens the transliterators on a separate thread, so that no request waits for them. Returns immediately.
void cicu_warm(void);
#endif
