import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Settings } from "../../../src/config/settings.ts";
import { type Evaluation, evaluateRule } from "../../../src/pipeline/notify/rules/evaluate-rule.ts";
import { readRules } from "../../../src/pipeline/notify/rules/read-rules.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { publishBookedWorld } from "../../report/booked-world.ts";
import { shareFolder } from "../../support/shared-folder.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

/** Evaluates the rules of a file on a generated world with booked plays. */
async function evaluate(...lines: string[]) {
  const workingFolder = createTempFolder();
  writeFileSync(join(workingFolder, "notify.csv"), ["name,when,view,to", ...lines].join("\n"));
  const { rules, mistakes } = await readRules(workingFolder);
  expect(mistakes).toEqual([]);
  const mart = await openPublished(await shareFolder("booked world", publishBookedWorld), { threads: 1 });
  onTestFinished(() => mart.close());
  const settings = new Settings({ flags: {}, environment: {}, workingFolder });
  const now = new Date("2026-11-21T06:00:00Z");
  const found: Evaluation[] = [];
  // One after the other, because a connection streams the rows of one statement at a time.
  for (const { request, condition } of rules)
    if (request) found.push(await evaluateRule(mart, { request, condition }, { settings, now }));
  return found;
}

it("opens an incident for each line that is behind, and skips lines without settled or booked plays", async () => {
  const [behind, agreed, zones] = await evaluate(
    "behind,delivered_share < 90%,/delivery,mailto:ann@example.com",
    "agreed,compliance_difference < 0,/delivery?only=running,mailto:ann@example.com",
    'zones,difference < -50,"/delivery?by=campaign,zone&campaign=1",mailto:ann@example.com',
  );
  const keyOf = (entity: string) => (JSON.parse(entity) as string[]).slice(1).join(" ");
  const entities = (found: Iterable<string> = []) => [...found].map(keyOf).sort();
  expect(entities(behind?.matching.keys())).toEqual([
    "13 3 ",
    "25 6 2026-11-08",
    "5 1 2026-11-11",
    "9 2 2026-11-01",
  ]);
  expect([...(behind?.matching.keys() ?? [])].map(keyOf)[0]).toBe("25 6 2026-11-08");
  expect(entities(behind?.undecided)).toEqual(["18 4 ", "22 5 2026-11-26", "9 2 2026-10-05"]);
  expect(behind?.columns.slice(0, 2)).toEqual(["", "Delivered share"]);
  expect([...(behind?.matching.values() ?? [])][0]?.cells.slice(0, 2)).toEqual([
    "Campaign 25 (signage, 2026-11-08)",
    "0.0 %",
  ]);
  expect(entities(agreed?.matching.keys())).toEqual(["13 3 "]);
  expect(zones?.matching.size).toBeGreaterThan(1);
  expect(new Set([...(zones?.matching.keys() ?? [])].map((entity) => JSON.parse(entity).length))).toEqual(
    new Set([5]),
  );
});
