import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type HeatMap, palette } from "../../src/report/html/charts/chart.ts";
import type { Report } from "../../src/report/report.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { openPage, startBrowser } from "./browser.ts";
import { renderWith } from "./page-reports.ts";

/** A chain whose stores have long names that differ at the end, in the middle, or in one letter. */
const names = [
  ...Array.from(
    { length: 14 },
    (_, index) => `Harbourside Shopping Centre, Ground Floor North Entrance, Store ${index + 1}`,
  ),
  ...["Antwerp", "Bruges", "Ghent"].map(
    (city) =>
      `Harbourside Shopping Centre of the old town of ${city}, Ground Floor North Entrance by the canal`,
  ),
  `${"Harbourside Shopping Centre ".repeat(9)}East`,
  `${"Harbourside Shopping Centre ".repeat(9)}West`,
  "Airport",
];
const dates = Array.from({ length: 28 }, (_, index) => `2026-11-${String(index + 1).padStart(2, "0")}`);

let browser: Browser;
let stop: (() => Promise<void>) | undefined;
beforeAll(async () => {
  ({ browser, stop } = await startBrowser());
});
afterAll(async () => {
  await stop?.();
});

const heatMap: HeatMap = {
  kind: "heat-map",
  title: "Zones day by day",
  summary: "",
  subject: "zone",
  rows: names.map((label) => ({ label })),
  dates,
  levels: [{ label: "ran in all", colour: palette.paleBlue, ink: palette.ink, mark: "✓" }],
  cells: names.flatMap((_name, row) =>
    dates.map((_date, day) => ({ row, day, level: 0, text: "✓", description: "ran" })),
  ),
};

function similarReport(): Report {
  return {
    title: "Compliance by zone",
    name: "compliance",
    filters: [],
    dataAsOf: null,
    version: "v000001",
    columns: [
      { name: "zone_id", type: "integer" },
      { name: "zone_name", type: "text" },
      { name: "scheduled_days", type: "integer" },
    ],
    rows: (async function* () {
      yield* names.map((name, index) => [index, name, 28]);
    })(),
    notes: [],
  };
}

it.each([
  ["on a desktop", { width: 1280, height: 900 }, "screen"],
  ["on a phone", { width: 390, height: 844 }, "screen"],
  ["printed", { width: 1000, height: 900 }, "print"],
] as const)("different zones have different labels %s", async (_label, viewport, media) => {
  const file = join(createTempFolder(), "similar.html");
  const content = { headline: "", coverage: "", facts: [], charts: [heatMap] };
  writeFileSync(file, await renderWith(similarReport(), { page: content }));
  const { page } = await openPage(browser, file, { viewport });
  await page.emulateMedia({ media });
  const labels = await page.locator("figure svg[role=img]:visible g[text-anchor=end] text").allTextContents();
  expect(labels).toHaveLength(names.length);
  expect(new Set(labels).size).toBe(names.length);
  // The table shows names in full: no cell is cut off.
  const cells = await page.locator("td.name bdi").evaluateAll((found) =>
    found.map((cell) => ({
      text: cell.textContent ?? "",
      isCut: cell.scrollHeight > cell.clientHeight + 1 || cell.scrollWidth > cell.clientWidth + 1,
    })),
  );
  expect(new Set(cells.map(({ text }) => text)).size).toBe(names.length);
  expect(cells.filter(({ isCut }) => isCut)).toEqual([]);
});
