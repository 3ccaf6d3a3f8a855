# What people run by hand and from cron. `make help` lists the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help demo sync build report serve publish run check test test-all figures notice sbom audit test-readers test-trino test-prometheus test-s3 test-nodes mutants soak bench clean

VENUE := node dist/main.js
REPORT ?= plays
# A variable's value for the shell, to the letter: neither a quote nor a dollar sign in it means anything.
quoted = '$(subst ','\'',$(value $(1)))'
# Every variable is passed on only where it is given.
given = $(if $(value $(2)),--$(1) $(call quoted,$(2)))
PERIOD := $(call given,from,FROM) $(call given,to,TO)
SELECTION := $(PERIOD) $(call given,group,GROUP) $(call given,by,BY) $(call given,only,ONLY)
OUTPUT := $(call given,format,FORMAT) $(call given,out,OUT)

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

demo: dist ## install, compile, run everything on the built-in emulator, show the reports
	@$(VENUE) demo

sync: dist ## collect from the service and load
	@$(VENUE) sync

build: dist ## rebuild what changed, check it, publish it
	@$(VENUE) build

report: dist ## print a report: REPORT=plays FROM= TO= GROUP= BY= ONLY= FORMAT= OUT=
	@$(VENUE) report $(if $(value REPORT),$(call quoted,REPORT)) $(SELECTION) $(OUTPUT)

serve: dist ## show what is published as pages, on this machine: PORT=8420
	@$(VENUE) serve $(call given,port,PORT)

publish: dist ## copy what is published into a folder: DIR=
	@$(if $(value DIR),$(VENUE) publish $(call given,to,DIR),\
	echo "Name the folder: make publish DIR=/mnt/share/venue" >&2; exit 2)

run: dist ## the scheduled job: sync, build, reports (FROM= TO= GROUP=)
	@$(VENUE) run $(PERIOD) $(call given,group,GROUP)

check: dist ## run the checks alone
	@$(VENUE) check

test: node_modules ## types, lint, format, import direction, unused code, tests: of long suites a small part
	@npm run --silent types
	@npm run --silent lint
	@npm run --silent direction
	@npm run --silent unused
	@npm run --silent test

test-all: ## the same, with more of long suites
	@TESTS=all $(MAKE) --no-print-directory test test-trino test-s3

figures: node_modules ## write what follows from the SQL: docs/figures.md and test/mart/contract.json
	@npx vitest run --update --config test/vitest.config.ts test/docs/figures.test.ts test/mart/contract.test.ts

notice: node_modules ## write what follows from the lock file: NOTICE
	@npx vitest run --update --config test/vitest.config.ts test/supply/notice.test.ts

# Not `--omit dev`: that leaves out libraries which tools for development use, too. npm names the whole by the folder.
sbom: ## list all libraries, with licences and hashes, as CycloneDX, marking those for development: OUT=sbom.json
	@set -o pipefail; npm sbom --package-lock-only --sbom-format cyclonedx --sbom-type application --loglevel error | \
	node -e 'const bom = JSON.parse(fs.readFileSync(0)); bom.metadata.component.name = require("./package.json").name; console.log(JSON.stringify(bom, null, 2))' > $(if $(value OUT),$(call quoted,OUT),sbom.json)

audit: ## ask the registry for known holes in what is shipped
	@npm audit --package-lock-only --omit dev

test-readers: dist ## read what is published with pyarrow, polars, pandas and DuckDB (needs python3)
	@test/readers/run.sh

soak: node_modules ## what takes hours: every fault in every mode, every kill and failed write, mutated input, a year of daily runs; records it in docs/tried.md (SUITES= PAIRS=40 DAYS=365 PART=1/6 of test/crash)
	@results=$$(mktemp); tried=$$(mktemp); trap 'rm -f "$$results" "$$tried"' EXIT; \
	TESTS=soak PAIRS='$(or $(PAIRS),40)' DAYS='$(or $(DAYS),365)' PART=$(call quoted,PART) TEST_RESULTS=$$results TRIED=$$tried \
	npx vitest run --config test/vitest.config.ts $(or $(SUITES),test/faults test/crash test/limits test/soak mutated killed upgrade repair any-landings any-history any-device daily-syncs); ended=$$?; \
	PART=$(call quoted,PART) node test/soak/write-tried.mjs "$$results" "$$tried"; exit $$ended

mutants: dist test/mutants/node_modules ## change the sources of loads, walks and builds a little, thousands of times, and see whether tests find it, for hours: FILES='src/load/rules/**/*.ts' BY=test/load/rules KEPT=rules.json
	@MUTANTS=1 FILES=$(call quoted,FILES) BY=$(call quoted,BY) KEPT=$(call quoted,KEPT) \
	node test/mutants/node_modules/@stryker-mutator/core/bin/stryker.js run test/mutants/stryker.config.mjs

test-trino: dist ## run SQL on a real Trino and a real Nessie, fetched the first time (needs Java 24 and Maven): PLAYS=20000 WORKERS=0
	@PLAYS=$(call quoted,PLAYS) WORKERS=$(call quoted,WORKERS) npm run --silent test:trino

test-prometheus: dist ## let a real Prometheus read the metrics and fire the alerts, fetched the first time (needs apt-get)
	@npm run --silent test:prometheus

test-s3: dist ## store objects in a real S3 gateway and in moto, installed the first time (needs Go, Python)
	@npm run --silent test:s3

test-nodes: dist ## run the demo and a sample of the tests on Node.js 22, 24 and 26, fetched by npm
	@node test/nodes/run.mjs

bench: dist ## measure speed and memory against the budgets: N=10000000 ROUNDS=5
	@worst=0; for part in bench listings sync; do \
		N=$(call quoted,N) ROUNDS=$(call quoted,ROUNDS) node test/bench/$$part.mjs || { ended=$$?; [ $$ended -le 1 ] || exit $$ended; worst=1; }; \
	done; exit $$worst

clean: ## remove what was installed and compiled (never data)
	@rm -rf node_modules test/mutants/node_modules dist .stryker-tmp

node_modules: package.json package-lock.json
	@npm ci --no-audit --no-fund --loglevel=error
	@touch node_modules

test/mutants/node_modules: test/mutants/package-lock.json
	@npm ci --prefix test/mutants --no-audit --no-fund --loglevel=error
	@touch $@

dist: node_modules $(shell find src -name '*.ts') tsconfig.json
	@npm run --silent build
	@touch dist
