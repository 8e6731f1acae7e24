#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
// Freeing toml++'s tree of a deeply nested document would overflow the stack. No configuration needs deeper values than these.
#define TOML_MAX_NESTED_VALUES 16
#include "ctoml.h"

#include <toml++/impl/preprocessor.h>
// toml++ 3.3 assumes that the key of a table header begins like a key. The text `[[[` violates the assumption: a debug build aborts, and a
// release build has undefined behaviour. The code after the assumption reports the error anyway, so the assumption is removed.
#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT_ASSUME(expression) static_assert(true)
#include <toml++/toml.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

// toml++ limits the depth of nested values, but not the number of parts of a dotted key. Therefore the dots in a line are limited.
constexpr size_t max_dots = 128;
// The maximum depth of the tree; it bounds the recursion of `write`.
constexpr int max_depth = 64;

// Appends the text as a JSON string.
void quote(std::string &out, std::string_view text) {
  out += '"';
  for (char character : text) {
    auto byte = static_cast<unsigned char>(character);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += character;
    } else if (byte < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      out += escape;
    } else {
      out += character;
    }
  }
  out += '"';
}

// Appends the line and the column.
void position(std::string &out, const toml::source_region &source) {
  out += std::to_string(source.begin.line) + ',' + std::to_string(source.begin.column);
}

// Appends the JSON of the node, in the form that ctoml.h states. Returns false if the tree is too deep.
bool write(std::string &out, const toml::node &node, int depth) {
  if (depth > max_depth) return false;
  out += '[';
  position(out, node.source());
  if (auto table = node.as_table()) {
    out += ",\"table\",[";
    bool first = true;
    for (auto &&[key, value] : *table) {
      if (!first) out += ',';
      first = false;
      out += '[';
      quote(out, key.str());
      out += ',';
      position(out, key.source());
      out += ',';
      if (!write(out, value, depth + 1)) return false;
      out += ']';
    }
    out += ']';
  } else if (auto array = node.as_array()) {
    out += ",\"array\",[";
    bool first = true;
    for (auto &&value : *array) {
      if (!first) out += ',';
      first = false;
      if (!write(out, value, depth + 1)) return false;
    }
    out += ']';
  } else if (auto string = node.as_string()) {
    out += ",\"string\",";
    quote(out, string->get());
  } else if (auto integer = node.as_integer()) {
    out += ",\"integer\"," + std::to_string(integer->get());
  } else if (auto number = node.as_floating_point()) {
    char spelling[40] = "null";
    if (std::isfinite(number->get())) std::snprintf(spelling, sizeof spelling, "%.17g", number->get());
    out += ",\"float\",";
    out += spelling;
  } else if (auto boolean = node.as_boolean()) {
    out += boolean->get() ? ",\"boolean\",true" : ",\"boolean\",false";
  } else {
    out += ",\"date\",null";
  }
  out += ']';
  return true;
}

// A result with a copy of the text; without a text if memory ran out.
ctoml_result result(std::string_view text, bool failed, size_t line = 0, size_t column = 0) {
  auto copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (copy == nullptr) return {nullptr, 0, true, line, column};
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = 0;
  return {copy, text.size(), failed, line, column};
}

// The number of the first line, from 1, that has too many dots outside a comment; 0 if there is no such line.
size_t line_with_too_many_dots(std::string_view text) {
  size_t line = 1, dots = 0;
  bool only_spaces = true, in_comment = false;
  for (char character : text) {
    if (character == '\n') {
      line += 1;
      dots = 0;
      only_spaces = true;
      in_comment = false;
      continue;
    }
    if (only_spaces && character == '#') in_comment = true;
    if (character != ' ' && character != '\t') only_spaces = false;
    if (!in_comment && character == '.' && ++dots > max_dots) return line;
  }
  return 0;
}

}  // namespace

ctoml_result ctoml_parse(const char *text, size_t length) {
  std::string_view document(text, length);
  if (size_t line = line_with_too_many_dots(document)) return result("more than 128 dots in one line", true, line, 1);
  auto parsed = toml::parse(document, std::string_view());
  if (!parsed) {
    const auto &error = parsed.error();
    return result(error.description(), true, error.source().begin.line, error.source().begin.column);
  }
  std::string out;
  out.reserve(length * 2);
  if (!write(out, parsed.table(), 1)) return result("tables nested more than 64 deep", true, 1, 1);
  return result(out, false);
}

void ctoml_free(ctoml_result result) { std::free(result.text); }
