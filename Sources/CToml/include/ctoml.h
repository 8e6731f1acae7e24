// A C interface to toml++ (header only, exceptions off).
#ifndef CTOML_H
#define CTOML_H
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The result of parsing a TOML text.
typedef struct {
  // A JSON text of `length` bytes or, if `failed`, one sentence. Owned by the caller; NULL if memory ran out.
  char *text;
  size_t length;
  bool failed;
  // The position of the error, from 1; 0 if it has none.
  size_t line, column;
} ctoml_result;

// Reads a whole TOML 1.0 document (UTF-8). The JSON text represents each value as `[line, column, kind, payload]` with kind one
// of "string", "integer", "float", "boolean", "date", "array" (payload: values) and "table" (payload: members, each
// `[key, line, column, value]`). Dates, and floats that JSON cannot represent, have a null payload.
ctoml_result ctoml_parse(const char *text, size_t length);

void ctoml_free(ctoml_result result);

#ifdef __cplusplus
}
#endif
#endif
