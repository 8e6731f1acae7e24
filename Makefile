# make run    real answers from a private daemon        make test   the whole suite
# make help   everything else

PREFIX ?= /usr/local
DESTDIR ?=
DATA ?= $(wildcard ../shared/data)
SECONDS = 20
RUNS =

SWIFT = swift
FLAGS = --build-system native
STRICT = -Xswiftc -warnings-as-errors
# Symbols are bound at the start, so that their table is read-only from then on (full RELRO); .ci/install checks it.
HARDENED = -Xlinker -z -Xlinker now
RELEASE = .build/release
SWIFT_SOURCES = Package.swift Sources Plugins Tests

TEST = .ci/suite $(SWIFT) test $(FLAGS)

# The tests of `make prove` are worth a build with optimisation: they run about four times as fast.
OPTIMISED_TESTS = -c release -Xswiftc -enable-testing --scratch-path .build/prove
# With the usual hashing, which differs from run to run, the order of sets and dictionaries would make each replay another scenario.
SIMULATION = SWIFT_DETERMINISTIC_HASHING=1 $(TEST) $(STRICT) $(if $(PLACES_PROVE),$(OPTIMISED_TESTS)) --no-parallel --filter SimulationTests

# Tests that neither wait for real time nor count what the process has open run side by side, all others one at a time: on two processors a
# test that computes keeps one that waits from its turn.
PARALLEL = ConfigurationTests|MergingTests|PlacesAPITests|GazetteerIndexTests|ResilienceTests|QueryEngineTests

# The sanitizers build only the tests that they run, and the programs that these start. Tests of sudden deaths cannot have one. The thread
# sanitizer's shadow memory does not fit into the confinement of a provider process, and code that runs on one thread has nothing for it to
# find. A test of bundled data would take a sixth of their time; the other tests of the index run the same code.
ADDRESS_TESTS = PlacesKit Linux HTTP RPC PlacesAPI PlacesClient GazetteerIndex Configuration Merging Resilience Storage PluginHost QueryEngine \
  PlacesService Simulation Providers Described EmulatedAPIs Gateway placesctl
THREAD_TESTS = PlacesKit Linux HTTP RPC PlacesClient GazetteerIndex Resilience Storage QueryEngine PlacesService Simulation Providers Gateway placesctl
PROVIDER_PROGRAMS = places-provider-host Misbehaving Gazetteer Google Foursquare Suggest Nominatim Photon Pelias Described
UNSANITIZED = StorageTests.*Kill|DebianTests
CONFINED = placesctlTests.*Plugin|DescriptionTests/conformance

# The crash reporter that Swift starts by itself hangs under the address sanitizer and writes memory into logs.
export SWIFT_BACKTRACE = enable=no

.DEFAULT_GOAL := help
.PHONY: help run stop build test simulation lint format bench bench-quick counts quality fuzzer fuzz system-calls prove prove-external asan tsan documentation install uninstall deb clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

run: build ## install missing packages, build, start a private daemon, send it three queries, and print what to do next
	@.ci/try start

stop: ## stop the daemon that make run started
	@.ci/try stop

build: ## the programs and plugins, optimised, in .build/release
	@.ci/packages build
	@$(SWIFT) build $(FLAGS) -c release $(HARDENED)

test: ## the whole suite
	@.ci/packages build test
	@PLACES_DATA="$(abspath $(DATA))" $(TEST) $(STRICT) --parallel --filter '$(PARALLEL)'
	@PLACES_DATA="$(abspath $(DATA))" $(TEST) $(STRICT) --no-parallel --skip '$(PARALLEL)|SimulationTests'
	@$(SIMULATION)

asan: ## the suite under the address sanitizer, with provider processes but without sudden deaths
	@.ci/packages build test
	@PLACES_TARGETS="$(ADDRESS_TESTS:=Tests) $(PROVIDER_PROGRAMS)" ASAN_OPTIONS=detect_leaks=0 \
	  $(TEST) --no-parallel --scratch-path .build/asan --sanitize=address --skip '$(UNSANITIZED)'

tsan: ## the tests of code with threads under the thread sanitizer
	@.ci/packages build test
	@mkdir -p .build/tsan && "$$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")")/clang" -O2 -fPIC -shared -o .build/tsan/mutex.so .ci/tsan-mutex.c
	@PLACES_TARGETS="$(THREAD_TESTS:=Tests)" LD_PRELOAD="$(CURDIR)/.build/tsan/mutex.so" \
	  $(TEST) --no-parallel --scratch-path .build/tsan --sanitize=thread -Xlinker --export-dynamic --skip '$(UNSANITIZED)|$(CONFINED)'

simulation: ## 1,000 random runs of the whole daemon in virtual time (PLACES_PROVE=1: 100,000); with PLACES_SIMULATION=number, that one, step by step; =first-last, those
	@.ci/packages build test
	@$(SIMULATION)

lint: ## layout of the sources, manual pages, forbidden constructs, dead links
	@.ci/packages test
	@.ci/lint

format: ## lay the sources out
	@$(SWIFT) format --in-place --recursive $(SWIFT_SOURCES)

bench: build ## the daemon beside alternatives; DATA=folder names the data sets
	@.ci/packages bench
	@Tests/Benchmarks/bench.py --data "$(DATA)"

bench-quick: build ## most of the same in under a minute, less exact
	@.ci/packages bench
	@Tests/Benchmarks/bench.py --quick --data "$(DATA)"

counts: build ## allocations and instructions of a request, against thresholds
	@.ci/packages counts
	@Tests/Benchmarks/counts.py

quality: build ## how well places are found, ranked and matched, on the data sets of DATA=folder
	@.ci/packages quality
	@.ci/quality "$(DATA)"

fuzzer: ## build the fuzzer without running it
	@.ci/packages build
	@SWIFT="$(SWIFT)" .ci/fuzz build

fuzz: ## every parser of a service's answers, for SECONDS=20 each or RUNS=number
	@.ci/packages build
	@SWIFT="$(SWIFT)" .ci/fuzz $(if $(RUNS),runs $(RUNS),seconds $(SECONDS))

system-calls: ## the system calls that the daemon makes in the end-to-end tests (under strace), beside the list of its unit
	@.ci/packages build test trace
	@.ci/system-calls $(SWIFT) test $(FLAGS)

prove: build ## slow tests: crashes, kills, 100,000 runs of the simulated daemon, hundreds of thousands of random operations, the suite under two sanitizers, a hostile user, 400 kills of the daemon under paid load, a million runs of the fuzzer for each parser
	@.ci/packages build test prove
	@PLACES_PROVE=1 PLACES_DATA="$(abspath $(DATA))" $(TEST) $(OPTIMISED_TESTS) $(STRICT) --no-parallel --skip SimulationTests
	@PLACES_PROVE=1 $(MAKE) --no-print-directory simulation
	@$(MAKE) --no-print-directory asan tsan
	@Tests/Benchmarks/hostile.py
	@Tests/Benchmarks/money.py
	@Tests/Benchmarks/bench.py --only process --only restart
	@SWIFT="$(SWIFT)" .ci/fuzz runs 1000000

prove-external: build ## tests with programs that are not ours: the geocoders addok and Nominatim behind the daemon (with DATA/osm), clients and browsers at the gateway
	@.ci/prove-addok
	@.ci/prove-geocoders "$(DATA)"
	@.ci/prove-clients "$(DATA)"

documentation: ## the DocC archives of PlacesClient and PlacesKit, in .build/documentation
	@.ci/packages build
	@.ci/documentation

install: build ## under $(DESTDIR)$(PREFIX)
	@.ci/packages install
	@.ci/install "$(DESTDIR)" "$(PREFIX)"

uninstall: ## remove what install installed
	@.ci/install --remove "$(DESTDIR)" "$(PREFIX)"

deb: build ## the Debian packages, in .build/deb, checked by lintian
	@.ci/packages deb
	@rm -rf .build/deb && mkdir -p .build/deb
	@fakeroot debian/rules clean binary DESTINATION="$(CURDIR)/.build/deb" > .build/deb/log 2>&1 || { tail -n 30 .build/deb/log >&2; exit 1; }
	@fakeroot debian/rules clean >> .build/deb/log 2>&1
	@lintian --allow-root --suppress-tags initial-upload-closes-no-bugs --fail-on error,warning .build/deb/*.deb
	@ls -l .build/deb/*.deb

clean: ## remove what was built
	@.ci/try stop >/dev/null 2>&1 || true
	@rm -rf .build Sources/PlacesKit/.build
