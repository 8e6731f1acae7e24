/// Providers that cannot work.
let providers = Mistake.table(
  #"""
  [providers.google]
  enabled = true
  => t:1:12: [providers.google] has neither `plugin` nor `command`; add `plugin = "google"`

  [providers.gazeteer]
  weight = 2
  => t:1:12: [providers.gazeteer] has neither `plugin` nor `command`; add `plugin = "NAME"`, or did you mean [providers.gazetteer]?

  [providers.a]
  plugin = "a"
  command = ["/bin/a"]
  => t:1:12: [providers.a] has both `plugin` and `command`; keep one

  [providers.a]
  plugin = "a"
  command = ["/bin/a"]
  weight = 99
  merge = "free"
  license_override = 1
  => t:1:12: [providers.a] has both `plugin` and `command`; keep one
  => t:4:10: `providers.a.weight` must be a number from 0 to 10, not 99.0
  => t:6:20: `providers.a.license_override` must be a string that is not empty, not an integer

  [providers.a]
  plugin = "../a"
  => t:2:10: `providers.a.plugin` must be a name of letters, digits, `-`, `_` and `.`, not "../a"

  [providers.a]
  command = []
  => t:2:11: `providers.a.command` must be a list of an executable's absolute path and its arguments, not an empty list

  [providers.a]
  command = ["a"]
  => t:2:11: `providers.a.command` must be a list of an executable's absolute path and its arguments, not one that starts with "a"

  [providers.a]
  command = ["/a"]
  isolation = "in-process"
  => t:1:12: [providers.a] has a `command`, which cannot run in-process; leave out `isolation`

  [providers.a]
  plugin = "misbehaving"
  isolation = "in-process"
  => t:3:13: [providers.a] may not run in-process: the plugin "misbehaving" is not bundled with the daemon, and a crash of it would end the daemon; leave out `isolation`

  [providers.a]
  plugin = "a"
  isolation = "inprocess"
  => t:3:13: `providers.a.isolation` must be one of "process", "in-process", not "inprocess"; did you mean "in-process"?

  [providers.a]
  plugin = "a"
  isolation = "vm"
  => t:3:13: `providers.a.isolation` must be one of "process", "in-process", not "vm"

  [providers.a]
  plugin = "a"
  base_url = "http://127.0.0.1:2322"
  => t:1:12: [providers.a] has a `base_url` on this machine or in a private network, to which calls are not allowed; add `allow_private_addresses = true`

  [providers.a]
  plugin = "a"
  base_url = "http://geocoder.example.org"
  credential = "key"
  => t:3:12: [providers.a] has a key and a `base_url` that begins with http://: the key would be sent to a public host without encryption; use https://, or add `allow_private_addresses = true` if the server is in a network of your own

  [providers.a]
  plugin = "a"
  base_url = "http://[::1]/api"
  => t:1:12: [providers.a] has a `base_url` on this machine or in a private network, to which calls are not allowed; add `allow_private_addresses = true`

  [providers.a]
  plugin = "a"
  base_url = "https://192.168.1.9"
  => t:1:12: [providers.a] has a `base_url` on this machine or in a private network, to which calls are not allowed; add `allow_private_addresses = true`

  [providers.a]
  plugin = "a"
  base_url = "http://localhost:8080/nominatim"
  => t:1:12: [providers.a] has a `base_url` on this machine or in a private network, to which calls are not allowed; add `allow_private_addresses = true`

  [providers.a]
  plugin = "a"
  base_url = "example.org"
  => t:3:12: `providers.a.base_url` must be a URL such as "https://example.org/path", without user name and query, not this string

  [providers.a]
  plugin = "a"
  base_url = "http://"
  => t:3:12: `providers.a.base_url` must be a URL such as "https://example.org/path", without user name and query, not this string

  [providers.a]
  plugin = "a"
  base_url = "http://a?key=1"
  => t:3:12: `providers.a.base_url` must be a URL such as "https://example.org/path", without user name and query, not this string

  [providers.a]
  plugin = "a"
  base_url = "http://[::1"
  => t:3:12: `providers.a.base_url` must be a URL such as "https://example.org/path", without user name and query, not this string

  [providers.a]
  plugin = "a"
  ca_file = "ca.pem"
  => t:3:11: `providers.a.ca_file` must be an absolute path, not "ca.pem"

  [providers.a]
  plugin = "a"
  enabled = true
  ca_file = "/nonexistent/ca.pem"
  => t:4:11: `providers.a.ca_file` /nonexistent/ca.pem cannot be read: No such file or directory

  [providers.a]
  plugin = "a"
  enabled = true
  ca_file = "/tmp"
  => t:4:11: `providers.a.ca_file` /tmp cannot be read: it is not a regular file

  [providers.a]
  plugin = "a"
  api_key_file = "/a"
  credential = "b"
  => t:1:12: [providers.a] has both `api_key_file` and `credential`; keep one

  [providers.a]
  plugin = "a"
  timeout_ms = 5
  => t:3:14: `providers.a.timeout_ms` must be an integer from 10 to 30000, not 5

  [providers.a]
  plugin = "a"
  weight = 11
  => t:3:10: `providers.a.weight` must be a number from 0 to 10, not 11.0

  [providers.a]
  plugin = "a"
  weight = -1
  => t:3:10: `providers.a.weight` must be a number from 0 to 10, not -1.0

  [providers.a]
  plugin = "a"
  rate.per_second = 0
  => t:3:19: `providers.a.rate.per_second` must be a number from 0.001 to 10000, not 0.0

  [providers.a]
  plugin = "a"
  rate.concurrent = 0
  => t:3:19: `providers.a.rate.concurrent` must be an integer from 1 to 64, not 0

  [providers.a]
  plugin = "a"
  budget.user_share = 1.1
  => t:3:21: `providers.a.budget.user_share` must be a number from 0 to 1, not 1.1

  [providers.a]
  plugin = "a"
  budget.calls_per_day = -1
  => t:3:24: `providers.a.budget.calls_per_day` must be an integer from 0 to 1000000000, not -1

  [providers.a]
  plugin = "a"
  prices.currency = "Euro"
  => t:3:19: `providers.a.prices.currency` must be an ISO 4217 currency such as "EUR", not "Euro"

  [providers.a]
  plugin = "a"
  merge = "free"
  => t:1:12: [providers.a] has `merge = "free"` without `license_override`; add the licence's text

  [providers.a]
  plugin = "a"
  merge = "always"
  => t:3:9: `providers.a.merge` must be one of "terms", "never", "free", not "always"

  [providers.a]
  plugin = "a"
  license_override = ""
  => t:3:20: `providers.a.license_override` must be a string that is not empty, not ""

  [providers.a]
  plugin = "a"
  keep.ids_seconds = -1
  => t:3:20: `providers.a.keep.ids_seconds` must be a number from 0 to 3153600000, not -1.0

  [providers."a b"]
  plugin = "a"
  => t:1:12: a provider's id must be letters, digits, `-`, `_` and `.`, not "a b"

  [providers."a:b"]
  plugin = "a"
  => t:1:12: a provider's id must be letters, digits, `-`, `_` and `.`, not "a:b"

  [providers.""]
  plugin = "a"
  => t:1:12: a provider's id must be letters, digits, `-`, `_` and `.`, not ""

  [providers.-a]
  plugin = "a"
  => t:1:12: a provider's id must be letters, digits, `-`, `_` and `.`, not "-a"

  [providers.google]
  enabled = true
  enabeld = 1
  [providers.b]
  plugin = "b"
  budget = 1
  [limits]
  depth = 1
  => t:1:12: [providers.google] has neither `plugin` nor `command`; add `plugin = "google"`
  => t:6:10: `providers.b.budget` must be a table, not an integer
  => t:8:9: `limits.depth` must be an integer from 8 to 512, not 1
  """#)
