import { contentKinds, encodeKey, type Kind, largestId } from "../../util/kind.ts";
import type { CheckHeader, LineMistake, ReferenceRow } from "./reference-file.ts";
import { dateColumns, findDateMistake, findOverlaps, hasEnd, readDates } from "./valid-dates.ts";

const keyColumns = ["kind", "campaign_id"];
const targetColumns = ["plays", "plays_per_zone_day", "compliance", "impressions"];
/** Columns, in any order. `campaign_name` is ignored; it only makes the file easier to read. */
const columns = [...keyColumns, "campaign_name", ...dateColumns, ...targetColumns];

export const checkCampaignTargets = {
  checkColumns: ((found) => {
    const unknown = found.find((name, index) => !columns.includes(name) || found.indexOf(name) !== index);
    if (unknown !== undefined) return [unknown, `each of these columns once: ${columns.join()}`];
    const isComplete =
      keyColumns.every((name) => found.includes(name)) && targetColumns.some((name) => found.includes(name));
    return isComplete
      ? undefined
      : [found.join(), `the columns ${keyColumns.join()} and at least one of ${targetColumns.join()}`];
  }) satisfies CheckHeader,

  findMistake(row: ReferenceRow): readonly [value: string, accepted: string] | undefined {
    const { kind = "", campaign_id: id = "" } = row.values;
    const { valid_from: from = "", valid_to: to = "" } = row.values;
    const { plays = "", plays_per_zone_day: perDay = "", compliance = "", impressions = "" } = row.values;
    if (!contentKinds.some((known) => known === kind)) return [kind, `a kind: ${contentKinds.join(", ")}`];
    if (!/^\d+$/.test(id) || Number(id) > largestId) return [id, `a campaign_id from 0 to ${largestId}`];
    const ofDates = findDateMistake(row);
    if (ofDates) return ofDates;
    for (const [name, total] of Object.entries({ plays, impressions }))
      if (total !== "" && !/^[1-9]\d{0,11}$/.test(total))
        return [total, `${name} as a whole number, such as 5000`];
    if (perDay !== "" && readNumber(perDay) === undefined)
      return [perDay, "plays_per_zone_day as a number above 0, such as 12 or 12.5"];
    if (compliance !== "" && readShare(compliance) === undefined)
      return [compliance, "compliance as a ratio above 0 and up to 1, such as 0.95 or 95 %"];
    if (plays + perDay + compliance + impressions === "")
      return ["", `at least one of ${targetColumns.join(", ")}`];
    if (plays + impressions !== "" && (from === "" || !hasEnd(to)))
      return [
        `${from} to ${to}`,
        `valid_from and valid_to, because ${plays === "" ? "impressions" : "plays"} are a total over these dates`,
      ];
    return undefined;
  },

  /** Finds overlapping dates of one campaign. */
  findContradictions(rows: readonly ReferenceRow[]): LineMistake[] {
    return findOverlaps(
      rows.map((row) => {
        const { lineNumber } = row;
        const { key, text } = identifyCampaign(row);
        return { lineNumber, of: String(key), text, ...readDates(row) };
      }),
    );
  },
};

export function identifyCampaign({ values: { kind, campaign_id: id } }: ReferenceRow) {
  return { subject: "campaign" as const, key: encodeKey(kind as Kind, Number(id)), text: `${kind} ${id}` };
}

export function readCampaignTarget(row: ReferenceRow) {
  const { plays = "", plays_per_zone_day: perDay = "", compliance = "", impressions = "" } = row.values;
  return {
    ...readDates(row),
    plays: plays === "" ? null : Number(plays),
    impressions: impressions === "" ? null : Number(impressions),
    plays_per_zone_day: readNumber(perDay) ?? null,
    compliance: readShare(compliance) ?? null,
  };
}

/** Reads a number greater than 0 and less than a million. */
function readNumber(text: string): number | undefined {
  if (!/^\d{1,6}(\.\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return value > 0 ? value : undefined;
}

/** Reads a ratio greater than 0 and at most 1, e.g. `0.95` or `95 %`. */
function readShare(text: string): number | undefined {
  const [, number = "", percent] = /^([\d.]+)\s*(%)?$/.exec(text) ?? [];
  const value = readNumber(number);
  if (value === undefined) return undefined;
  // Dividing by 100 gives the nearest double; multiplying by 0.01 may not.
  const share = percent === undefined ? value : value / 100;
  return share <= 1 ? share : undefined;
}
