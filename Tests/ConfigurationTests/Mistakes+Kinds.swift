/// Values of the wrong kind.
let kinds = Mistake.table(
  #"""
  daemon = 1
  => t:1:10: `daemon` must be a table, not an integer

  limits = []
  => t:1:10: `limits` must be a table, not an empty list

  providers = "google"
  => t:1:13: `providers` must be a table, not a string

  [[daemon]]
  socket = "/a"
  => t:1:1: `daemon` must be a table, not a list of 1

  [providers]
  google = "yes"
  => t:2:10: `providers.google` must be a table, not a string

  [daemon]
  socket = 1
  => t:2:10: `daemon.socket` must be an absolute path of at most 103 bytes, not an integer

  [daemon]
  plugin_dirs = "/a"
  => t:2:15: `daemon.plugin_dirs` must be a list of at most 64 absolute paths, not a string

  [daemon]
  plugin_dirs = [1, 2]
  => t:2:16: `daemon.plugin_dirs` must be an absolute path, not an integer
  => t:2:19: `daemon.plugin_dirs` must be an absolute path, not an integer

  [daemon]
  deadline_ms = "1000"
  => t:2:15: `daemon.deadline_ms` must be an integer from 10 to 30000, not a string

  [daemon]
  deadline_ms = 1e3
  => t:2:15: `daemon.deadline_ms` must be an integer from 10 to 30000, not a number

  [daemon]
  deadline_ms = 1000.0
  => t:2:15: `daemon.deadline_ms` must be an integer from 10 to 30000, not a number

  [daemon]
  language = ["de"]
  => t:2:12: `daemon.language` must be a BCP 47 language such as "de" or "pt-BR", not a list of 1

  [daemon]
  region = 49
  => t:2:10: `daemon.region` must be a two-letter CLDR region such as "DE", not an integer

  [daemon]
  bias = "Berlin"
  => t:2:8: `daemon.bias` must be a table, not a string

  [daemon]
  log_level = 3
  => t:2:13: `daemon.log_level` must be one of "error", "warning", "notice", "info", "debug", not an integer

  [daemon]
  log_queries = "false"
  => t:2:15: `daemon.log_queries` must be true or false, not a string

  [daemon]
  learning = 0
  => t:2:12: `daemon.learning` must be true or false, not an integer

  [daemon]
  stale_wait_ms = 2026-01-01
  => t:2:17: `daemon.stale_wait_ms` must be an integer from 0 to 30000, not a date or time

  [quota]
  money_per_day = "5 EUR"
  => t:2:17: `quota.money_per_day` must be an amount from 0 to 1000000000, such as 12.50, not a string

  [cache]
  disk_mb = true
  => t:2:11: `cache.disk_mb` must be an integer from 1 to 1048576, not true or false

  [http]
  proxy = false
  => t:2:9: `http.proxy` must be a URL such as "http://proxy.example.org:3128", without user name and query, not true or false

  [http]
  no_proxy = "a"
  => t:2:12: `http.no_proxy` must be a list of at most 64 host names, not a string

  [providers.a]
  plugin = ["a"]
  => t:2:10: `providers.a.plugin` must be a name of letters, digits, `-`, `_` and `.`, not a list of 1

  [providers.a]
  command = "/bin/a"
  => t:2:11: `providers.a.command` must be a list of an executable's absolute path and its arguments, not a string

  [providers.a]
  plugin = "a"
  rate = 5
  => t:3:8: `providers.a.rate` must be a table, not an integer

  [providers.a]
  plugin = "a"
  budget = "5"
  => t:3:10: `providers.a.budget` must be a table, not a string

  [providers.a]
  plugin = "a"
  prices = 1
  => t:3:10: `providers.a.prices` must be a table with `currency` and price classes, each `{ per_thousand = 2.83, free_per_month = \#
  10000 }`, not an integer

  [providers.a]
  plugin = "a"
  prices.call = 2.83
  => t:3:15: `providers.a.prices.call` must be a table, not a number

  [providers.a]
  plugin = "a"
  weight = "1"
  => t:3:10: `providers.a.weight` must be a number from 0 to 10, not a string

  [providers.a]
  plugin = "a"
  when = 2026-01-01
  => t:3:8: `providers.a.when` is or contains a date or a number that is not finite; no setting has such a value

  [providers.a]
  plugin = "a"
  limit = inf
  => t:3:9: `providers.a.limit` is or contains a date or a number that is not finite; no setting has such a value

  [providers.a]
  plugin = "a"
  weight = nan
  => t:3:10: `providers.a.weight` must be a number from 0 to 10, not infinite or not a number
  """#)
