import { expect, it } from "vitest";
import { checkCampaignTargets, readCampaignTarget } from "../../../src/load/reference/campaign-targets.ts";

const columns = [
  "kind",
  "campaign_id",
  "valid_from",
  "valid_to",
  "plays",
  "plays_per_zone_day",
  "compliance",
];

/** Lines of `campaign_targets.csv`, numbered from 2. */
const toRows = (lines: readonly string[]) =>
  lines.map((line, index) => {
    const cells = line.split(",");
    return {
      lineNumber: index + 2,
      values: Object.fromEntries(columns.map((name, position) => [name, cells[position] ?? ""])),
    };
  });
const toRow = (line: string) => toRows([line])[0] as ReturnType<typeof toRows>[number];

it.each([
  ["signage,5,2026-11-01,2026-11-30,5000,,", { plays: 5000, plays_per_zone_day: null, compliance: null }],
  ["messaging,0,,,,12.5,", { plays: null, plays_per_zone_day: 12.5, compliance: null }],
  ["signage,5,,2026-11-30,,0.5,0.95", { plays: null, plays_per_zone_day: 0.5, compliance: 0.95 }],
  ["signage,5,,,,,95 %", { plays: null, plays_per_zone_day: null, compliance: 0.95 }],
  ["signage,5,,,,,99.5%", { plays: null, plays_per_zone_day: null, compliance: 0.995 }],
  ["signage,5,,,,,1", { plays: null, plays_per_zone_day: null, compliance: 1 }],
  ["signage,5,,9999-12-31,,12,", { valid_to: "2099-12-31", plays_per_zone_day: 12 }],
])("%s", (line, expected) => {
  expect(checkCampaignTargets.findMistake(toRow(line))).toBeUndefined();
  expect(readCampaignTarget(toRow(line))).toMatchObject(expected);
});

it.each([
  ["music,5,,,,1,", "music", "a kind"],
  ["signage,x,,,,1,", "x", "a campaign_id"],
  ["signage,2251799813685248,,,,1,", "2251799813685248", "a campaign_id"],
  ["signage,5,2026-02-30,,,1,", "2026-02-30", "valid_from as"],
  ["signage,5,2026-12-01,2026-11-01,,1,", "2026-12-01 to 2026-11-01", "valid_from up to"],
  ["signage,5,,,,,", "", "at least one of plays, plays_per_zone_day, compliance"],
  ["signage,5,2026-11-01,2026-11-30,0,,", "0", "plays as a whole number"],
  ["signage,5,2026-11-01,2026-11-30,1.5,,", "1.5", "plays as a whole number"],
  ["signage,5,2026-11-01,,500,,", "2026-11-01 to ", "valid_from and valid_to"],
  ["signage,5,2026-11-01,9999-12-31,500,,", "2026-11-01 to 9999-12-31", "valid_from and valid_to"],
  ["signage,5,,2026-11-01,500,,", " to 2026-11-01", "valid_from and valid_to"],
  ["signage,5,,,,0,", "0", "plays_per_zone_day as"],
  ["signage,5,,,,-1,", "-1", "plays_per_zone_day as"],
  ["signage,5,,,,1e3,", "1e3", "plays_per_zone_day as"],
  ["signage,5,,,,,95", "95", "compliance as a share"],
  ["signage,5,,,,,0 %", "0 %", "compliance as a share"],
  ["signage,5,,,,,101 %", "101 %", "compliance as a share"],
  ["signage,5,,,,,high", "high", "compliance as a share"],
])("%s is invalid", (line, value, accepted) => {
  const [found, expected] = checkCampaignTargets.findMistake(toRow(line)) ?? [];
  expect(found).toBe(value);
  expect(expected).toContain(accepted);
});

it.each<[string[], number[]]>([
  [["signage,5,2026-11-01,2026-11-15,,1,", "signage,5,2026-11-16,,,1,", "messaging,5,,,,1,"], []],
  [["signage,5,2026-11-01,2026-11-15,,1,", "signage,05,2026-11-15,,,1,"], [3]],
  [["signage,5,,,,1,", "signage,6,,,,1,", "signage,5,,,,,0.9"], [4]],
])("dates overlap: %j", (lines, expected) => {
  const found = checkCampaignTargets.findContradictions(toRows(lines));
  expect(found.map(({ lineNumber }) => lineNumber)).toEqual(expected);
});

it.each([
  [["campaign_id", "compliance", "kind"], undefined],
  [["kind", "campaign_id", "campaign_name", "plays"], undefined],
  [["kind", "campaign_id", "play"], "play"],
  [["kind", "campaign_id", "plays", "plays"], "plays"],
  [["kind", "campaign_id", "valid_from"], "kind,campaign_id,valid_from"],
  [["campaign_id", "plays"], "campaign_id,plays"],
])("columns %j", (found, value) => {
  expect(checkCampaignTargets.judgeColumns(found)?.[0]).toBe(value);
});
