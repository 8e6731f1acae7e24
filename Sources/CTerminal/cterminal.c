#define _XOPEN_SOURCE 700
#include "cterminal.h"

#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <termios.h>
#include <wchar.h>

static locale_t utf8;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_locale(void) { utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int cterminal_width(uint32_t code_point) {
  pthread_once(&once, open_locale);
  if (utf8 == (locale_t)0) return 1;
  locale_t before = uselocale(utf8);
  int width = wcwidth((wchar_t)code_point);
  uselocale(before);
  return width < 0 ? 1 : width;
}

static struct termios before;
static bool is_changed;

int cterminal_keys(int descriptor) {
  if (tcgetattr(descriptor, &before) != 0) return -1;
  struct termios keys = before;
  keys.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  if (tcsetattr(descriptor, TCSADRAIN, &keys) != 0) return -1;
  is_changed = true;
  return 0;
}

void cterminal_restore(int descriptor) {
  if (is_changed) tcsetattr(descriptor, TCSADRAIN, &before);
  is_changed = false;
}
