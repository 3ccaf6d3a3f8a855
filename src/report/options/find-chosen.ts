import { findClosestWord } from "../../util/text/words.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { countOf, listWords } from "../text/readable-text.ts";
import { resolveAttributes } from "./find-attributes.ts";
import { type Known, labelOf, listKnown, nameWithId, plain } from "./known-subjects.ts";
import { ReportOptionError, type Wording } from "./report-option-error.ts";
import { type ReportOptions, type ReportRequest, type Subject, subjects } from "./report-options.ts";

/** Maximum names in a message. */
const named = 3;

/**
 * Finds what words name, by id, name or both, and locations also by city, ignoring case. A word with commas
 * is a list, unless it is a name.
 * @throws {ReportOptionError} when a word matches nothing, or several things have that name
 */
export function findChosen(subject: Subject, words: readonly string[], known: readonly Known[]): Known[] {
  const byId = groupBy(known, ({ id }) => String(id));
  const byName = groupBy(known, ({ name }) => plain(name));
  const byBoth = groupBy(known, (one) => plain(nameWithId(one)));
  const ofCities = known.filter(({ detail }) => subject === "location" && detail);
  const byCity = groupBy(ofCities, ({ detail }) => plain(detail ?? ""));
  const find = (word: string) =>
    byId.get(word) ??
    byBoth.get(plain(word)) ??
    pickOne(subject, word, byName.get(plain(word)) ?? [], byCity.get(plain(word)));
  const isWhole = (word: string) => [byName, byBoth, byCity].some((found) => found.has(plain(word)));
  const single = words.flatMap((word) => (isWhole(word) ? [word] : word.split(",")));
  const typed = [...new Set(single.map((word) => word.trim()))];
  const unknown = typed.filter((word) => find(word).length === 0);
  if (unknown.length > 0) throw noneOf(subject, unknown, known);
  return typed.flatMap(find);
}

function pickOne(
  subject: Subject,
  name: string,
  found: readonly Known[],
  others: readonly Known[] = [],
): readonly Known[] {
  if (found.length < 2) return found.length > 0 ? found : others;
  const candidates = found.map((known) =>
    subject === "campaign" || known.detail === null
      ? labelOf(subject, known)
      : `${known.id} (${known.name}, ${known.detail})`,
  );
  throw new ReportOptionError(
    `--${subject}`,
    ({ option }) =>
      `${countOf(found.length, subject)} are called ${JSON.stringify(name)}: ${candidates.join(", ")}. Choose one by its id${subject === "campaign" ? ` and ${option("--kind")}` : ""}.`,
  );
}

function noneOf(
  subject: Subject,
  [first = "", ...others]: readonly string[],
  known: readonly Known[],
): ReportOptionError {
  const listing = { report: subject === "campaign" ? "compliance" : "plays", by: subject } as const;
  const isNamed = others.length === 0 && !/^\d+$/.test(first);
  const finding = isNamed
    ? `No ${subject} is called ${JSON.stringify(first)}.`
    : `No ${subject} ${listWords([first, ...others], "or", named)}.`;
  const meant = others.length > 0 ? [] : findMeant(first, known).map((found) => labelOf(subject, found));
  const sentences = (wording: Wording) =>
    `${finding}${meant.length > 0 ? ` Did you mean ${listWords(meant, "or")}?` : wording.listing(listing)}`;
  return new ReportOptionError(`--${subject}`, sentences, listing);
}

/** Returns those whose name contains the word, else the closest; for a campaign's key, the campaign. */
function findMeant(word: string, known: readonly Known[]): readonly Known[] {
  const ofKey = known.filter(({ key, id }) => key !== id && String(key) === word);
  if (ofKey.length > 0) return ofKey;
  const isNumber = /^\d+$/.test(word);
  // A number only matches a whole word of a name.
  const holding = known.filter(({ name }) =>
    (isNumber ? plain(name).split(" ") : plain(name)).includes(plain(word)),
  );
  if (holding.length > 0) return holding.slice(0, named);
  const textsOf = ({ id, name }: Known) =>
    isNumber ? [String(id)] : [plain(name), ...plain(name).split(" ")];
  const nearest = findClosestWord(plain(word), known.flatMap(textsOf));
  if (nearest === undefined) return [];
  return known.filter((one) => textsOf(one).includes(nearest)).slice(0, named);
}

function groupBy(
  known: readonly Known[],
  keyOf: (one: Known) => string,
): ReadonlyMap<string, readonly Known[]> {
  const groups = new Map<string, Known[]>();
  for (const one of known) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

/**
 * Resolves ids and names. A campaign's id matches all requested kinds: signage and messaging share ids.
 * @throws {ReportOptionError} naming what is not published, with suggestions
 */
export async function resolveChosen(
  mart: PublishedMart,
  { chosen, ...asked }: ReportRequest,
): Promise<ReportOptions> {
  const keysOf = async (subject: Subject): Promise<number[]> => {
    const words = chosen[subject];
    if (words === undefined) return [];
    return findChosen(subject, words, await listEligible(mart, subject, asked.kinds)).map(({ key }) => key);
  };
  await checkNumbered(mart, asked);
  return {
    ...asked,
    groupIds: await keysOf("group"),
    zoneIds: await keysOf("zone"),
    locationIds: await keysOf("location"),
    campaignKeys: await keysOf("campaign"),
    attributes: await resolveAttributes(mart, asked),
  };
}

/** Replaces names by ids, unless the id matches more. Throws as `resolveChosen` does. */
export async function chooseByIds(mart: PublishedMart, asked: ReportRequest): Promise<ReportRequest> {
  const chosen: Partial<Record<Subject, readonly string[]>> = {};
  for (const subject of subjects) {
    const words = asked.chosen[subject];
    if (words === undefined) continue;
    const eligible = await listEligible(mart, subject, asked.kinds);
    const found = findChosen(subject, words, eligible);
    const ids = [...new Set(found.map(({ id }) => String(id)))];
    chosen[subject] = findChosen(subject, ids, eligible).length === found.length ? ids : words;
  }
  return { ...asked, chosen };
}

async function listEligible(
  mart: PublishedMart,
  subject: Subject,
  ofKinds: readonly string[],
): Promise<Known[]> {
  const kinds = subject === "campaign" ? ofKinds : [];
  const known = await listKnown(mart, subject);
  return known.filter(({ detail }) => kinds.length === 0 || kinds.includes(detail ?? ""));
}

/** Filters that take only ids, with the tables and reports that list them. */
const numbered = [
  { option: "itemIds", word: "item", table: "dim_item", listing: { report: "plays", by: "item" } },
  { option: "artistIds", word: "artist", table: "dim_artist", listing: { report: "plays", by: "artist" } },
  { option: "deviceIds", word: "device", table: "dim_device", listing: { report: "devices" } },
  { option: "loadIds", word: "load", table: "fact_load", listing: { report: "loads" } },
] as const;

/** @throws {ReportOptionError} naming requested items, artists, devices or loads that do not exist */
async function checkNumbered(mart: PublishedMart, asked: Omit<ReportRequest, "chosen">): Promise<void> {
  for (const { option, word, table, listing } of numbered) {
    const ids = asked[option] ?? [];
    if (ids.length === 0) continue;
    const found = await mart.all<{ id: number | bigint }>(
      `select distinct ${word}_id as id from ${table} where ${word}_id in (${ids.join(", ")})`,
    );
    const known = new Set(found.map(({ id }) => String(id)));
    const unknown = ids.map(String).filter((id) => !known.has(id));
    if (unknown.length > 0) {
      throw new ReportOptionError(
        `--${word}`,
        (wording) => `No ${word} ${listWords(unknown, "or", 3)}.${wording.listing(listing)}`,
        listing,
      );
    }
  }
}
