/// Keys and tables that nothing reads.
let unknown = Mistake.table(
  #"""
  port = 80
  => t:1:1: unknown key `port`; known: cache, daemon, http, limits, providers, quota

  [demon]
  => t:1:2: unknown key `demon`; did you mean `daemon`?

  [daemon]
  sockets = "/a"
  => t:2:1: unknown key `daemon.sockets`; did you mean `socket`?

  [daemon]
  deadline = 5
  => t:2:1: unknown key `daemon.deadline`; did you mean `deadline_ms`?

  [daemon]
  logging = "debug"
  => t:2:1: unknown key `daemon.logging`; known in [daemon]: admin_group, bias, cache_dir, deadline_ms, gateway_user, \#
  language, learning, log_level, log_queries, plugin_dirs, prefer, region, socket, stale_wait_ms, state_dir

  [daemon]
  depth = 5
  => t:2:1: unknown key `daemon.depth`; it belongs in [limits]

  [daemon]
  disk_mb = 5
  => t:2:1: unknown key `daemon.disk_mb`; it belongs in [cache]

  [daemon]
  proxy = "x"
  => t:2:1: unknown key `daemon.proxy`; it belongs in [http]

  [limits]
  batches = 5
  => t:2:1: unknown key `limits.batches`; did you mean `batch`?

  [limits]
  zzzzzz = 5
  => t:2:1: unknown key `limits.zzzzzz`; known in [limits]: batch, connections, connections_per_user, depth, in_flight, \#
  reply_bytes, request_bytes, unread_bytes

  [quota]
  requests_per_minutes = 5
  => t:2:1: unknown key `quota.requests_per_minutes`; did you mean `requests_per_minute`?

  [quota]
  money_per_month = 5
  => t:2:1: unknown key `quota.money_per_month`; did you mean `money_per_day`?

  [cache]
  disc_mb = 1
  => t:2:1: unknown key `cache.disc_mb`; did you mean `disk_mb`?

  [cache]
  socket = "/x"
  => t:2:1: unknown key `cache.socket`; it belongs in [daemon]

  [http]
  porxy = "http://x"
  => t:2:1: unknown key `http.porxy`; did you mean `proxy`?

  [http]
  user_agent = "x"
  => t:2:1: unknown key `http.user_agent`; known in [http]: no_proxy, proxy

  [provider.google]
  plugin = "google"
  => t:1:2: unknown key `provider`; did you mean `providers`?

  [providers.a]
  plugin = "a"
  [providers.a.rate]
  per_minute = 5
  => t:4:1: unknown key `providers.a.rate.per_minute`; known in [providers.a.rate]: burst, concurrent, per_second

  [providers.a]
  plugin = "a"
  [providers.a.budget]
  money_per_mounth = 5
  => t:4:1: unknown key `providers.a.budget.money_per_mounth`; did you mean `money_per_month`?

  [providers.a]
  plugin = "a"
  [providers.a.keep]
  id_seconds = 5
  => t:4:1: unknown key `providers.a.keep.id_seconds`; did you mean `ids_seconds`?

  [providers.a]
  plugin = "a"
  prices.call.per_houndred = 5
  => t:3:13: unknown key `providers.a.prices.call.per_houndred`; known in [providers.a.prices.call]: free_per_month, per_thousand

  [daemon]
  "" = 1
  => t:2:1: unknown key `daemon.""`; known in [daemon]: admin_group, bias, cache_dir, deadline_ms, gateway_user, language, \#
  learning, log_level, log_queries, plugin_dirs, prefer, region, socket, stale_wait_ms, state_dir

  [daemon]
  "a b\n" = 1
  => t:2:1: unknown key `daemon."a b\n"`; known in [daemon]: admin_group, bias, cache_dir, deadline_ms, gateway_user, \#
  language, learning, log_level, log_queries, plugin_dirs, prefer, region, socket, stale_wait_ms, state_dir

  [DAEMON]
  => t:1:2: unknown key `DAEMON`; did you mean `daemon`?

  [daemon]
  Socket = "/x"
  => t:2:1: unknown key `daemon.Socket`; did you mean `socket`?
  """#)
