// Measures the CPU time per listing of campaigns or assets while listings of many zones wait: new ones,
// unchanged ones, and ones with a tenth changed; then for a listing that is loaded alone. node
// test/bench/listings.mjs [--zones 400] [--days 3]; exits 1 if a budget is exceeded.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadListings } from "../../dist/load/listing/load-listings.js";
import { openWarehouse } from "../../dist/workspace/warehouse.js";

const budgetMs = { unchanged: 3, changed: 10, alone: 150 };
const landingsAlone = 20;
const rules = ["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "", "FREQ=MONTHLY;BYMONTHDAY=1,15"];

const { values } = parseArgs({
  options: { zones: { type: "string", default: "400" }, days: { type: "string", default: "3" } },
});
const folder = mkdtempSync(join(tmpdir(), "venue-analytics-bench-"));
try {
  await main(Number(values.zones), Number(values.days));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(zones, days) {
  const warehouse = await openWarehouse({ path: join(folder, "warehouse.duckdb"), memoryLimit: "600MB" });
  try {
    const load = (name, day, isChanged, budget) =>
      measure(warehouse, name, listDay(zones, day, isChanged), budget);
    await load("first", 0, () => false, budgetMs.changed);
    for (let day = 1; day <= days; day += 1) {
      await load(
        `day ${day}, a tenth changed`,
        2 * day - 1,
        (zone) => (zone + day) % 10 === 0,
        budgetMs.changed,
      );
      await load(`day ${day}, unchanged`, 2 * day, (zone) => (zone + day) % 10 === 0, budgetMs.unchanged);
    }
    for (const source of ["campaigns", "assets"]) {
      const one = listDay(zones, 2 * days + 1, () => false).find((landing) => landing.source === source);
      const alone = Array.from({ length: landingsAlone }, (_, index) => ({
        ...one,
        landingId: `${source} alone ${index}`,
        requestedAt: new Date(one.requestedAt.getTime() + index * 1000),
      }));
      await measure(warehouse, `${source}, alone`, alone, budgetMs.alone, 1);
    }
  } finally {
    warehouse.close();
  }
}

/** @param together number of listings per load */
async function measure(warehouse, name, landings, budget, together = landings.length) {
  const before = process.cpuUsage();
  for (let from = 0; from < landings.length; from += together) {
    const some = landings.slice(from, from + together);
    await loadListings(warehouse, some, { loadedAt: new Date(), serviceTimeZone: "UTC" });
  }
  const { user, system } = process.cpuUsage(before);
  const each = (user + system) / 1000 / landings.length;
  const isMissed = each > budget;
  console.log(
    `${name}: ${landings.length} listings, ${each.toFixed(2)} ms of processor each (budget ${budget})${isMissed ? " MISSED" : ""}`,
  );
  if (isMissed) process.exitCode = 1;
}

/** Campaigns and assets of each zone and two groups, of both kinds. */
function listDay(zones, day, isChanged) {
  const owners = [
    { groupId: 1 },
    { groupId: 2 },
    ...Array.from({ length: zones }, (_, zone) => ({ zoneId: 100 + zone })),
  ];
  return owners.flatMap((owner, index) =>
    ["signage", "messaging"].flatMap((kind) => {
      const said = isChanged(index) ? `since day ${Math.ceil(day / 2)}` : "as ever";
      const assets = Array.from({ length: 12 }, (_, asset) => listAsset((index % 50) * 20 + asset));
      const campaigns = Array.from({ length: 6 }, (_, campaign) => ({
        campaign_id: String((index % 50) * 10 + campaign),
        name: `Campaign ${campaign} ${said}`,
        status: "enabled",
        add_date: "2026-02-01",
        start_date: "2026-03-01",
        end_date: "",
        rrule: rules[campaign % rules.length],
        assets: assets.slice(2 * campaign, 2 * campaign + 2),
      }));
      return [land("campaigns", campaigns), land("assets", assets)];

      function land(source, records) {
        const landingId = `${source} ${kind} ${index} ${day}`;
        const path = join(folder, `${landingId}.jsonl`);
        writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
        const requestedAt = new Date(Date.UTC(2026, 2, 1 + day) + index * 1000);
        return { landingId, source, kind, path, requestedAt, ...owner };
      }
    }),
  );
}

function listAsset(id) {
  return {
    asset_id: id,
    name: `Asset ${id}`,
    preview_png: `https://media.example/${id}.png`,
    preview_gif: "",
    url: `https://media.example/${id}.mp4`,
    duration: 15,
    add_date: "2026-02-01",
    start_date: "",
    end_date: "",
  };
}
