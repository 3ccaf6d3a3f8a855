// Measures how well a sync uses requests, time and memory against an emulated service, and whether plans are
// right. node test/bench/sync.mjs [requests|plans|memory|kills|readers …] [--zones 2000] [--gigabytes 1]
// [--kills 30]; exits 1 if a budget is exceeded.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureKills } from "./sync/kills.mjs";
import { measureMemory } from "./sync/memory.mjs";
import { measurePlans } from "./sync/plans.mjs";
import { measureReaders } from "./sync/readers.mjs";
import { measureRequests } from "./sync/requests.mjs";
import { countMissed } from "./sync/tell.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    zones: { type: "string", default: "2000" },
    gigabytes: { type: "string", default: "1" },
    kills: { type: "string", default: "30" },
  },
});
const measures = {
  requests: measureRequests,
  plans: measurePlans,
  memory: (root) => measureMemory(root, { zones: Number(values.zones), gigabytes: Number(values.gigabytes) }),
  readers: measureReaders,
  kills: (root) => measureKills(root, Number(values.kills)),
};
const root = mkdtempSync(join(tmpdir(), "venue-analytics-bench-"));
try {
  for (const [name, measure] of Object.entries(measures))
    if (positionals.length === 0 || positionals.includes(name)) await measure(root);
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = countMissed() > 0 ? 1 : 0;
