import type { PublishedMart } from "../published/published-mart.ts";
import { listWords } from "../text/list-words.ts";
import { labelOf, listKnown } from "./known-subjects.ts";
import type { ReportOptions, Subject } from "./report-options.ts";

type Filters = Pick<
  ReportOptions,
  | "groupIds"
  | "zoneIds"
  | "locationIds"
  | "campaignKeys"
  | "kinds"
  | "itemIds"
  | "artistIds"
  | "deviceIds"
  | "loadIds"
  | "search"
>;

/** So many are named in a heading. */
const named = 3;

/** For a heading, e.g. `zone 12 (Bar) and 14 (Gym)`. */
export async function describeFilters(mart: PublishedMart, filters: Filters): Promise<string[]> {
  const chosen: [Subject, readonly number[]][] = [
    ["group", filters.groupIds],
    ["zone", filters.zoneIds],
    ["location", filters.locationIds],
    ["campaign", filters.campaignKeys],
  ];
  const texts: string[] = [];
  for (const [subject, keys] of chosen.filter(([, keys]) => keys.length > 0)) {
    const asked = new Set(keys);
    const known = (await listKnown(mart, subject)).filter(({ key }) => asked.has(key));
    const labels = known.map((one) => labelOf(subject, one));
    texts.push(`${subject} ${listWords(labels, "and", named)}`);
  }
  const { itemIds = [], artistIds = [], deviceIds = [], loadIds = [] } = filters;
  const numbered = { item: itemIds, artist: artistIds, device: deviceIds, load: loadIds };
  for (const [word, ids] of Object.entries(numbered))
    if (ids.length > 0) texts.push(`${word} ${listWords(ids.map(String), "and", named)}`);
  if (filters.kinds.length > 0) texts.push(`kind ${listWords(filters.kinds, "and")}`);
  if (filters.search !== undefined) texts.push(`rows with "${filters.search}"`);
  return texts;
}
