/// Values that cannot be.
let values = Mistake.table(
  #"""
  [daemon]
  socket = "run/placesd.sock"
  => t:2:10: `daemon.socket` must be an absolute path of at most 103 bytes, not "run/placesd.sock"

  [daemon]
  socket = ""
  => t:2:10: `daemon.socket` must be an absolute path of at most 103 bytes, not ""

  [daemon]
  socket = "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
  => t:2:10: `daemon.socket` must be an absolute path of at most 103 bytes, not \#
  "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"

  [daemon]
  state_dir = "~/state"
  => t:2:13: `daemon.state_dir` must be an absolute path, not "~/state"

  [daemon]
  plugin_dirs = ["plugins"]
  => t:2:16: `daemon.plugin_dirs` must be an absolute path, not "plugins"

  [daemon]
  admin_group = "ad min"
  => t:2:15: `daemon.admin_group` must be a name of letters, digits, `-`, `_` and `.`, not "ad min"

  [daemon]
  deadline_ms = 9
  => t:2:15: `daemon.deadline_ms` must be an integer from 10 to 30000, not 9

  [daemon]
  deadline_ms = 30001
  => t:2:15: `daemon.deadline_ms` must be an integer from 10 to 30000, not 30001

  [daemon]
  deadline_ms = -1
  => t:2:15: `daemon.deadline_ms` must be an integer from 10 to 30000, not -1

  [daemon]
  language = "german language"
  => t:2:12: `daemon.language` must be a BCP 47 language such as "de" or "pt-BR", not "german language"

  [daemon]
  language = "d"
  => t:2:12: `daemon.language` must be a BCP 47 language such as "de" or "pt-BR", not "d"

  [daemon]
  language = "de_DE"
  => t:2:12: `daemon.language` must be a BCP 47 language such as "de" or "pt-BR", not "de_DE"

  [daemon]
  language = "deutsch"
  => t:2:12: `daemon.language` must be a BCP 47 language such as "de" or "pt-BR", not "deutsch", which names none; did you mean "de"?

  [daemon]
  language = "Czech"
  => t:2:12: `daemon.language` must be a BCP 47 language such as "de" or "pt-BR", not "Czech", which names none; did you mean "cs"?

  [daemon]
  language = "xx-DE"
  => t:2:12: `daemon.language` must be a BCP 47 language such as "de" or "pt-BR", not "xx-DE", which names none

  [daemon]
  region = "DEU"
  => t:2:10: `daemon.region` must be a two-letter CLDR region such as "DE", not "DEU"

  [daemon]
  region = "UK"
  => t:2:10: `daemon.region` must be a two-letter CLDR region such as "DE", not "UK"

  [daemon]
  region = "ZZ"
  => t:2:10: `daemon.region` must be a two-letter CLDR region such as "DE", not "ZZ"

  [daemon]
  region = "1A"
  => t:2:10: `daemon.region` must be a two-letter CLDR region such as "DE", not "1A"

  [daemon]
  bias = { circle = { center = { latitude = 91, longitude = 0 }, radius = 5 } }
  => t:2:43: `daemon.bias.circle.center.latitude` must be a number from -90 to 90, not 91.0

  [daemon]
  bias = { circle = { center = { latitude = 9, longitude = 0 }, radius = 50001 } }
  => t:2:72: `daemon.bias.circle.radius` must be a number from 0 to 50000, not 50001.0

  [daemon]
  bias = { circle = { center = { latitude = 9, longitude = 0 } } }
  => t:2:8: `daemon.bias` lacks a `radius` in metres

  [daemon]
  bias = { circle = { center = { latitude = 9, lon = 0 }, radius = 1 } }
  => t:2:46: unknown key `daemon.bias.circle.center.lon`; did you mean `longitude`?

  [daemon]
  bias = { rectangle = { low = { latitude = 9, longitude = 0 }, high = { latitude = 8, longitude = 1 } } }
  => t:2:8: `daemon.bias` is empty: `low` is the south-west corner, `high` the north-east one

  [daemon]
  log_level = "warn"
  => t:2:13: `daemon.log_level` must be one of "error", "warning", "notice", "info", "debug", not "warn"; did you mean "warning"?

  [daemon]
  log_level = "loud"
  => t:2:13: `daemon.log_level` must be one of "error", "warning", "notice", "info", "debug", not "loud"

  [daemon]
  stale_wait_ms = 30001
  => t:2:17: `daemon.stale_wait_ms` must be an integer from 0 to 30000, not 30001

  [limits]
  request_bytes = 1023
  => t:2:17: `limits.request_bytes` must be an integer from 1024 to 67108864, not 1023

  [limits]
  depth = 513
  => t:2:9: `limits.depth` must be an integer from 8 to 512, not 513

  [limits]
  batch = 0
  => t:2:9: `limits.batch` must be an integer from 1 to 1024, not 0

  [limits]
  connections = 10
  connections_per_user = 11
  => t:3:24: `limits.connections_per_user` must not be greater than `limits.connections` (10)

  [quota]
  requests_per_minute = 0
  => t:2:23: `quota.requests_per_minute` must be an integer from 1 to 1000000, not 0

  [quota]
  money_per_day = -0.01
  => t:2:17: `quota.money_per_day` must be an amount from 0 to 1000000000, such as 12.50, not -0.01

  [quota]
  money_per_day = inf
  => t:2:17: `quota.money_per_day` must be an amount from 0 to 1000000000, such as 12.50, not infinite or not a number

  [cache]
  disk_mb = 0
  => t:2:11: `cache.disk_mb` must be an integer from 1 to 1048576, not 0

  [http]
  proxy = "proxy.example.org:3128"
  => t:2:9: `http.proxy` must be a URL such as "http://proxy.example.org:3128", without user name and query, not this string

  [http]
  proxy = "http://user:secret@proxy"
  => t:2:9: `http.proxy` must be a URL such as "http://proxy.example.org:3128", without user name and query, not this string

  [http]
  proxy = "http://proxy:99999"
  => t:2:9: `http.proxy` must be a URL such as "http://proxy.example.org:3128", without user name and query, not this string

  [http]
  proxy = "ftp://proxy"
  => t:2:9: `http.proxy` must be a URL such as "http://proxy.example.org:3128", without user name and query, not this string

  [http]
  no_proxy = ["*.example.org"]
  => t:2:13: `http.no_proxy` must be a host name such as "example.org", not "*.example.org"
  """#)
