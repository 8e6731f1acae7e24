#include "cicu.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>
#include <unicode/utf8.h>
#include <unicode/utf16.h>
#include <unicode/utrans.h>

// The maximum length of a word in UTF-16 units, before and after transliteration.
#define WORD_CAPACITY 1024

int32_t cicu_is_mark(uint32_t code_point) {
  return (U_GET_GC_MASK((UChar32)code_point) & U_GC_M_MASK) != 0 || code_point == 0x200d || code_point == 0x200c;
}

static int is_digit(UChar32 c) { return u_charType(c) == U_DECIMAL_DIGIT_NUMBER; }

int32_t cicu_words(const uint8_t *text, int32_t length, cicu_word *words, int32_t capacity) {
  int32_t count = 0, position = 0, offset = 0;
  int inside = 0, has_script = 0;
  UChar32 previous = 0;
  cicu_word word;
  // The loop has one more round after the last character, with c = -1, which ends the last word.
  while (offset <= length) {
    int32_t start = offset;
    UChar32 c = -1;
    if (offset < length) U8_NEXT(text, offset, length, c);
    int belongs = c >= 0 && (u_isalnum(c) || (inside && cicu_is_mark((uint32_t)c)));
    if (!belongs && inside && (c == '/' || c == '-') && is_digit(previous) && offset < length) {
      int32_t ahead = offset;
      UChar32 next;
      U8_NEXT(text, ahead, length, next);
      belongs = next >= 0 && is_digit(next);
    }
    if (belongs && !inside) {
      word = (cicu_word){.byte_start = start, .start = position, .number = is_digit(c)};
      memcpy(word.script, "Zyyy", 4);
      has_script = 0;
    }
    if (belongs && !has_script) {
      UErrorCode error = U_ZERO_ERROR;
      UScriptCode script = uscript_getScript(c, &error);
      const char *name = U_SUCCESS(error) && script > USCRIPT_INHERITED ? uscript_getShortName(script) : NULL;
      if (name != NULL && strlen(name) == 4) {
        memcpy(word.script, name, 4);
        has_script = 1;
      }
    }
    if (!belongs && inside) {
      word.byte_end = start;
      word.end = position;
      if (count < capacity) words[count] = word;
      count++;
    }
    inside = belongs;
    previous = c;
    if (start == length) break;
    position++;
  }
  return count;
}

// Each transliterator is opened once and never closed. Opening one takes up to a tenth of a second (Chinese), and the lock is held in the
// meantime. So a thread whose transliterator is open takes no lock.
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static UTransliterator *to_latin[USCRIPT_CODE_LIMIT];
static _Atomic char tried[USCRIPT_CODE_LIMIT];

static UTransliterator *opened(UScriptCode script) {
  char name[64] = "Latin-ASCII";
  if (script != USCRIPT_LATIN) {
    name[0] = 0;
    strncat(name, uscript_getName(script), 40);
    strcat(name, "-Latin");
  }
  UChar id[64];
  u_uastrncpy(id, name, 64);
  UErrorCode error = U_ZERO_ERROR;
  UTransliterator *opened = utrans_openU(id, -1, UTRANS_FORWARD, NULL, 0, NULL, &error);
  return U_SUCCESS(error) ? opened : NULL;
}

// The transliterator from a script to Latin, from Latin to ASCII for `USCRIPT_LATIN`, or null if ICU has none.
static UTransliterator *transliterator(UScriptCode script) {
  if (script < 0 || script >= USCRIPT_CODE_LIMIT) return NULL;
  if (!atomic_load_explicit(&tried[script], memory_order_acquire)) {
    pthread_mutex_lock(&opening);
    if (!tried[script]) {
      to_latin[script] = opened(script);
      atomic_store_explicit(&tried[script], 1, memory_order_release);
    }
    pthread_mutex_unlock(&opening);
  }
  return to_latin[script];
}

static int32_t transliterate(UScriptCode script, UChar *text, int32_t length) {
  UTransliterator *with = transliterator(script);
  if (with == NULL) return length;
  UErrorCode error = U_ZERO_ERROR;
  int32_t limit = length;
  utrans_transUChars(with, text, &length, WORD_CAPACITY, 0, &limit, &error);
  return U_SUCCESS(error) ? length : -1;
}

// Writes the letters and digits of the text without its marks; returns the length, or -1 if they do not fit. Sets `ascii` to 1 if all of
// them are ASCII, otherwise to 0.
static int32_t letters(const UChar *text, int32_t length, uint8_t *folded, int32_t capacity, int *ascii) {
  UErrorCode error = U_ZERO_ERROR;
  UChar decomposed[WORD_CAPACITY * 2];
  int32_t count = unorm2_normalize(unorm2_getNFDInstance(&error), text, length, decomposed, WORD_CAPACITY * 2, &error);
  if (U_FAILURE(error)) return -1;
  int32_t written = 0;
  *ascii = 1;
  for (int32_t i = 0; i < count;) {
    UChar32 c;
    U16_NEXT(decomposed, i, count, c);
    if (is_digit(c)) c = '0' + u_charDigitValue(c);
    if (c != '/' && c != '-' && !u_isalnum(c)) {
      // Remaining marks of a script without transliteration are kept, because they are letters, such as vowels in Khmer.
      if (c < 0x370 || !cicu_is_mark((uint32_t)c)) continue;
    }
    if (c >= 0x80) *ascii = 0;
    UBool failed = 0;
    U8_APPEND(folded, written, capacity, u_tolower(c), failed);
    if (failed) return -1;
  }
  return written;
}

int32_t cicu_fold(const uint8_t *word, int32_t length, uint8_t *folded, int32_t capacity) {
  UErrorCode error = U_ZERO_ERROR;
  UChar text[WORD_CAPACITY], plain[WORD_CAPACITY];
  int32_t count = 0;
  u_strFromUTF8(text, WORD_CAPACITY, &count, (const char *)word, length, &error);
  const UNormalizer2 *casefold = unorm2_getNFKCCasefoldInstance(&error);
  count = unorm2_normalize(casefold, text, count, plain, WORD_CAPACITY, &error);
  if (U_FAILURE(error)) return -1;
  int ascii = 0;
  int32_t written = letters(plain, count, folded, capacity, &ascii);
  if (written < 0 || ascii) return written;

  // Each run of one script is transliterated separately; characters without a script belong to the preceding run.
  UChar latin[WORD_CAPACITY];
  int32_t total = 0;
  for (int32_t start = 0; start < count;) {
    UScriptCode run = USCRIPT_COMMON;
    int32_t end = start;
    while (end < count) {
      int32_t next = end;
      UChar32 c;
      U16_NEXT(plain, next, count, c);
      UScriptCode script = uscript_getScript(c, &error);
      if (script > USCRIPT_INHERITED && run != USCRIPT_COMMON && script != run) break;
      if (script > USCRIPT_INHERITED) run = script;
      end = next;
    }
    UChar piece[WORD_CAPACITY];
    int32_t size = end - start;
    memcpy(piece, plain + start, (size_t)size * sizeof(UChar));
    if (run != USCRIPT_LATIN) size = transliterate(run, piece, size);
    if (size < 0 || total + size > WORD_CAPACITY) return -1;
    memcpy(latin + total, piece, (size_t)size * sizeof(UChar));
    total += size;
    start = end;
  }
  // Most transliterations consist of ASCII and marks. For these, the thousand rules of Latin letters are not needed.
  written = letters(latin, total, folded, capacity, &ascii);
  if (written >= 0 && ascii) return written;
  total = transliterate(USCRIPT_LATIN, latin, total);
  return total < 0 ? -1 : letters(latin, total, folded, capacity, &ascii);
}

// The folding of a precomposed letter of these scripts does not depend on its neighbours, as long as these are other such letters or ASCII.
// So each letter is folded once, at its first occurrence, and looked up after that. Other scripts are not listed: in Greek and Armenian,
// two vowels may be one sound, and in syllabic scripts most letters depend on their neighbours. `slot` is the index of an alphabet's first
// letter in `known_letters`.
static const struct { UChar32 first, end; int32_t slot; } alphabets[] = {
  {0xC0, 0x250, 0},           // Latin
  {0x1E00, 0x1F00, 0x190},    // Latin, further letters
  {0x400, 0x530, 0x290},      // Cyrillic
  {0x5D0, 0x5EB, 0x3C0},      // Hebrew
  {0x620, 0x700, 0x3E0},      // Arabic
  {0x10A0, 0x1100, 0x4C0},    // Georgian
};
#define ALPHABETS ((int32_t)(sizeof alphabets / sizeof alphabets[0]))
// The number of letters in all alphabets.
#define LETTERS 0x520
// The maximum number of bytes of a letter's folding. With its length, it fills 64 bits.
#define LONGEST_LETTER 7

// The folding of a letter: its length plus one in the lowest byte, and its bytes above; 0 if it was not folded yet, NO_LOOKUP if its word
// must be folded by ICU's rules.
static _Atomic uint64_t known_letters[LETTERS];
static const uint64_t NO_LOOKUP = 0xFF;

// The folding of the letter `c`, whose UTF-8 bytes are `text`.
static uint64_t letter(int32_t slot, UChar32 c, const uint8_t *text, int32_t length) {
  uint64_t known = atomic_load_explicit(&known_letters[slot], memory_order_relaxed);
  if (known != 0) return known;
  uint8_t folded[64];
  // A mark may change the letter before it.
  int32_t count = u_isalpha(c) && !cicu_is_mark((uint32_t)c) ? cicu_fold(text, length, folded, sizeof folded) : -1;
  known = count < 0 || count > LONGEST_LETTER ? NO_LOOKUP : (uint64_t)count + 1;
  for (int32_t i = 0; i < count && known != NO_LOOKUP; i++) {
    known = folded[i] < 0x80 ? known | (uint64_t)folded[i] << (8 * (i + 1)) : NO_LOOKUP;
  }
  atomic_store_explicit(&known_letters[slot], known, memory_order_relaxed);
  return known;
}

static int32_t slot(UChar32 c) {
  for (int32_t i = 0; i < ALPHABETS; i++) {
    if (c >= alphabets[i].first && c < alphabets[i].end) return alphabets[i].slot + (c - alphabets[i].first);
  }
  return -1;
}

int32_t cicu_fold_letters(const uint8_t *word, int32_t length, uint8_t *folded, int32_t capacity) {
  if (length > WORD_CAPACITY / LONGEST_LETTER) return -1;
  int32_t written = 0;
  for (int32_t offset = 0; offset < length;) {
    int32_t start = offset;
    if (written > capacity - LONGEST_LETTER) return -1;
    uint8_t byte = word[offset];
    if (byte < 0x80) {
      int is_capital = byte >= 'A' && byte <= 'Z';
      if (!is_capital && !(byte >= 'a' && byte <= 'z') && !(byte >= '0' && byte <= '9') && byte != '/' && byte != '-') return -1;
      folded[written++] = is_capital ? byte | 0x20 : byte;
      offset++;
      continue;
    }
    UChar32 c;
    U8_NEXT(word, offset, length, c);
    int32_t place = slot(c);
    uint64_t known = place < 0 ? NO_LOOKUP : letter(place, c, word + start, offset - start);
    if (known == NO_LOOKUP) return -1;
    for (uint64_t rest = known >> 8; rest != 0; rest >>= 8) folded[written++] = (uint8_t)rest;
  }
  return written;
}

int32_t cicu_spell(const uint8_t *text, int32_t length, uint8_t *spelled, int32_t capacity) {
  UErrorCode error = U_ZERO_ERROR;
  UChar wide[WORD_CAPACITY], plain[WORD_CAPACITY];
  int32_t count = 0, written = 0;
  u_strFromUTF8(wide, WORD_CAPACITY, &count, (const char *)text, length, &error);
  count = unorm2_normalize(unorm2_getNFKCCasefoldInstance(&error), wide, count, plain, WORD_CAPACITY, &error);
  if (U_FAILURE(error)) return -1;
  for (int32_t i = 0; i < count;) {
    UChar32 c;
    U16_NEXT(plain, i, count, c);
    UBool failed = 0;
    if (u_isalnum(c) || cicu_is_mark((uint32_t)c)) U8_APPEND(spelled, written, capacity, c, failed);
    if (failed) return -1;
  }
  return written;
}

int32_t cicu_compose(const uint16_t *text, int32_t length, uint16_t *composed, int32_t capacity) {
  UErrorCode error = U_ZERO_ERROR;
  int32_t written = unorm2_normalize(unorm2_getNFCInstance(&error), text, length, composed, capacity, &error);
  return U_SUCCESS(error) ? written : -1;
}

int32_t cicu_language_is_known(const char *language) { return uloc_getISO3Language(language)[0] != 0; }

static int32_t likely(const char *tag, char *full, int32_t capacity) {
  UErrorCode error = U_ZERO_ERROR;
  int32_t length = uloc_addLikelySubtags(tag, full, capacity, &error);
  return U_SUCCESS(error) && error != U_STRING_NOT_TERMINATED_WARNING ? length : 0;
}

int32_t cicu_language_of_region(const char *region, char *language, int32_t capacity) {
  char tag[16] = "und_", full[64];
  if (strlen(region) > 3) return 0;
  strcat(tag, region);
  if (likely(tag, full, sizeof full) == 0) return 0;
  UErrorCode error = U_ZERO_ERROR;
  int32_t length = uloc_getLanguage(full, language, capacity, &error);
  return U_SUCCESS(error) ? length : 0;
}

int32_t cicu_region_of_language(const char *language, char *region, int32_t capacity) {
  char full[64];
  if (strlen(language) > 32 || likely(language, full, sizeof full) == 0) return 0;
  UErrorCode error = U_ZERO_ERROR;
  int32_t length = uloc_getCountry(full, region, capacity, &error);
  return U_SUCCESS(error) ? length : 0;
}

int32_t cicu_region_name(const char *region, const char *language, char *name, int32_t capacity) {
  char tag[16] = "und_";
  if (strlen(region) > 3) return 0;
  strcat(tag, region);
  UErrorCode error = U_ZERO_ERROR;
  UChar wide[128];
  int32_t length = uloc_getDisplayCountry(tag, language, wide, 128, &error);
  if (U_FAILURE(error) || error == U_USING_DEFAULT_WARNING || length == 0) return 0;
  int32_t written = 0;
  u_strToUTF8(name, capacity, &written, wide, length, &error);
  return U_SUCCESS(error) ? written : 0;
}

static void *warm(void *unused) {
  (void)unused;
  transliterator(USCRIPT_LATIN);
  return NULL;
}

void cicu_warm(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // If no thread can be created, the first request that needs the transliterator opens it.
  (void)pthread_create(&thread, &attributes, warm, NULL);
  pthread_attr_destroy(&attributes);
}
