/// Texts that are not TOML.
let syntax = Mistake.table(
  #"""
  [daemon
  => t:1:8: not TOML: while parsing table header: encountered end-of-file

  [daemon]]
  => t:1:9: not TOML: while parsing table header: expected a comment or whitespace, saw ']'

  x
  => t:1:2: not TOML: while parsing key-value pair: encountered end-of-file

  x =
  => t:1:4: not TOML: while parsing key-value pair: encountered end-of-file

  x = 1 2
  => t:1:7: not TOML: while parsing key-value pair: expected a comment or whitespace, saw '2'

  = 1
  => t:1:1: not TOML: while parsing root table: expected keys, tables, whitespace or comments, saw '='

  [daemon]
  language = "de
  => t:2:15: not TOML: while parsing string: encountered end-of-file

  [daemon]
  deadline_ms = 01
  => t:2:17: not TOML: while parsing decimal integer: leading zeroes are prohibited

  [daemon]
  deadline_ms = 1_
  => t:2:16: not TOML: while parsing key-value pair: expected a comment or whitespace, saw '_'

  [daemon]
  deadline_ms = 0x
  => t:2:17: not TOML: while parsing hexadecimal integer: encountered end-of-file

  [daemon]
  deadline_ms = 99999999999999999999
  => t:2:35: not TOML: while parsing decimal integer: '99999999999999999999' is not representable in 64 bits

  [daemon]
  log_queries = yes
  => t:2:15: not TOML: while parsing value: could not determine value type; write true or false, a number, or a text in quotation marks

  [daemon]
  log_queries = True
  => t:2:15: not TOML: while parsing boolean: expected 'true', saw 'T'

  [daemon]
  language = "\q"
  => t:2:14: not TOML: while parsing string: unknown escape sequence '\q'

  [daemon]
  language = "\ud800"
  => t:2:19: not TOML: while parsing unicode scalar sequence: unicode surrogates (U+D800 - U+DFFF) are explicitly prohibited

  [daemon]
  deadline_ms = 1
  deadline_ms = 2
  => t:3:15: not TOML: while parsing key-value pair: cannot redefine existing integer 'deadline_ms'

  [daemon]
  [daemon]
  => t:2:1: not TOML: while parsing table header: cannot redefine existing table 'daemon'

  [daemon]
  bias = { circle = 1,, }
  => t:2:21: not TOML: while parsing inline table: expected key-value pair or closing '}', saw comma

  [daemon]
  plugin_dirs = ["/a" "/b"]
  => t:2:21: not TOML: while parsing array: expected comma or closing ']', saw '"'

  [daemon]
  plugin_dirs = ["/a"
  => t:2:20: not TOML: while parsing array: encountered end-of-file

  a.b = 1
  [a]
  b = 2
  => t:2:1: not TOML: while parsing table header: cannot redefine existing table 'a'

  daemon = 1
  [daemon]
  => t:2:1: not TOML: while parsing table header: cannot redefine existing integer 'daemon' as table

  x = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
  => t:1:21: not TOML: while parsing value: exceeded maximum nested value depth of 16

  [a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.\#
  a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a\#
  .a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.\#
  a.a.a.a.a.a.a.a]
  => t:1:1: not TOML: more than 128 dots in one line

  [daemon]
  language = de
  => t:2:12: not TOML: while parsing value: could not determine value type; write true or false, a number, or a text in quotation marks

  "unterminated = 1
  => t:1:18: not TOML: while parsing string: encountered end-of-file

  [daemon]
  language = """never ends
  => t:2:25: not TOML: while parsing string: encountered end-of-file

  x = 1979-13-01
  => t:1:12: not TOML: while parsing date: expected month between 1 and 12 (inclusive), saw 13

  x = 25:00:00
  => t:1:7: not TOML: while parsing time: expected hour between 0 to 59 (inclusive), saw 25
  """#)
