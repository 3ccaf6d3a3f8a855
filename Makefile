# What people run by hand and from cron. `make help` lists the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help demo sync build report serve publish run check test test-all figures notice sbom audit test-readers test-trino test-prometheus test-s3 test-nodes mutants soak bench clean

VENUE := node dist/main.js
REPORT ?= plays
# A variable's value, quoted for the shell, so that quotes and dollar signs in it have no effect.
quoted = '$(subst ','\'',$(value $(1)))'
# Passes on a variable only if it is set.
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

serve: dist ## serve the published version as web pages on this machine: PORT=8420
	@$(VENUE) serve $(call given,port,PORT)

publish: dist ## publish to another folder: DIR=
	@$(if $(value DIR),$(VENUE) publish $(call given,to,DIR),\
	echo "Name the folder: make publish DIR=/mnt/share/venue" >&2; exit 2)

run: dist ## the scheduled job: sync, build, reports (FROM= TO= GROUP=)
	@$(VENUE) run $(PERIOD) $(call given,group,GROUP)

check: dist ## run only the checks
	@$(VENUE) check

test: node_modules ## types, lint, format, import direction, unused code, tests; long suites run in part
	@npm run --silent types
	@npm run --silent lint
	@npm run --silent direction
	@npm run --silent unused
	@npm run --silent test

test-all: ## the same, with more of the long suites, and on Trino and S3
	@TESTS=all $(MAKE) --no-print-directory test test-trino test-s3

figures: node_modules ## generate docs/figures.md and test/mart/contract.json from the SQL
	@npx vitest run --update --config test/vitest.config.ts test/docs/figures.test.ts test/mart/contract.test.ts

notice: node_modules ## generate NOTICE from the lock file
	@npx vitest run --update --config test/vitest.config.ts test/supply/notice.test.ts

# `--omit dev` would also omit shipped libraries that development tools use. npm would use the folder's name.
sbom: ## list all libraries, with licences and hashes, as CycloneDX, with development libraries marked: OUT=sbom.json
	@set -o pipefail; npm sbom --package-lock-only --sbom-format cyclonedx --sbom-type application --loglevel error | \
	node -e 'const bom = JSON.parse(fs.readFileSync(0)); bom.metadata.component.name = require("./package.json").name; console.log(JSON.stringify(bom, null, 2))' > $(if $(value OUT),$(call quoted,OUT),sbom.json)

audit: ## ask the registry for known vulnerabilities of shipped libraries
	@npm audit --package-lock-only --omit dev

test-readers: dist ## read published files with pyarrow, polars, pandas and DuckDB (needs python3)
	@test/readers/run.sh

soak: node_modules ## run the suites that take hours: every fault in every mode, every kill and failed write, mutated input, a year of daily runs; records results in docs/tried.md (SUITES= PAIRS=40 DAYS=365 PART=1/6 of test/crash)
	@results=$$(mktemp); tried=$$(mktemp); trap 'rm -f "$$results" "$$tried"' EXIT; \
	TESTS=soak PAIRS='$(or $(PAIRS),40)' DAYS='$(or $(DAYS),365)' PART=$(call quoted,PART) TEST_RESULTS=$$results TRIED=$$tried \
	npx vitest run --config test/vitest.config.ts $(or $(SUITES),test/faults test/crash test/limits test/soak mutated killed upgrade repair any-landings any-history any-device daily-syncs); ended=$$?; \
	PART=$(call quoted,PART) node test/soak/write-tried.mjs "$$results" "$$tried"; exit $$ended

mutants: dist test/mutants/node_modules ## mutation tests of loads, walks and builds, which take hours: FILES='src/load/rules/**/*.ts' BY=test/load/rules KEPT=rules.json
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
