import { findClosestWord } from "../../util/text/words.ts";
import { listGroupings } from "../catalog/report-entry.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { formatQuantity, joinWords } from "../text/readable-text.ts";
import { chooseEntry } from "./choose-entry.ts";
import {
  formatLabel,
  formatNameWithId,
  listNamedEntities,
  type NamedSubject,
  normalizeName,
} from "./named-entities.ts";
import { ReportOptionError, type Wording } from "./option-error.ts";
import { idWords } from "./option-list.ts";
import {
  type ChosenAttribute,
  type ReportOptions,
  type ReportRequest,
  type Subject,
  subjects,
} from "./request-options.ts";

/** Maximum names in a message. */
const maxNames = 3;

/**
 * Finds the groups, zones, locations or campaigns that the user typed, by id, name or both, and locations also by city.
 * Ignores case. A text with commas is a list, unless the whole text is one name.
 * @throws {ReportOptionError} when a text matches nothing, or several entities have that name
 */
export function resolveEntities(
  subject: Subject,
  words: readonly string[],
  known: readonly NamedSubject[],
): NamedSubject[] {
  const byId = groupBy(known, ({ id }) => String(id));
  const byName = groupBy(known, ({ name }) => normalizeName(name));
  const byBoth = groupBy(known, (one) => normalizeName(formatNameWithId(one)));
  const ofCities = known.filter(({ detail }) => subject === "location" && detail);
  const byCity = groupBy(ofCities, ({ detail }) => normalizeName(detail ?? ""));
  const find = (word: string) =>
    byId.get(word) ??
    byBoth.get(normalizeName(word)) ??
    pickOne(subject, word, byName.get(normalizeName(word)) ?? [], byCity.get(normalizeName(word)));
  const isWhole = (word: string) => [byName, byBoth, byCity].some((found) => found.has(normalizeName(word)));
  const single = words.flatMap((word) => (isWhole(word) ? [word] : word.split(",")));
  const typed = [...new Set(single.map((word) => word.trim()))];
  const unknown = typed.filter((word) => find(word).length === 0);
  if (unknown.length > 0) throw notFoundError(subject, unknown, known);
  return typed.flatMap(find);
}

function pickOne(
  subject: Subject,
  name: string,
  found: readonly NamedSubject[],
  others: readonly NamedSubject[] = [],
): readonly NamedSubject[] {
  if (found.length < 2) return found.length > 0 ? found : others;
  const candidates = found.map((known) =>
    subject === "campaign" || known.detail === null
      ? formatLabel(subject, known)
      : `${known.id} (${known.name}, ${known.detail})`,
  );
  throw new ReportOptionError(
    `--${subject}`,
    ({ option }) =>
      `${formatQuantity(found.length, subject)} are called ${JSON.stringify(name)}: ${candidates.join(", ")}. Choose one by its id${subject === "campaign" ? ` and ${option("--kind")}` : ""}.`,
  );
}

function notFoundError(
  subject: Subject,
  [first = "", ...others]: readonly string[],
  known: readonly NamedSubject[],
): ReportOptionError {
  const listing = { report: subject === "campaign" ? "compliance" : "plays", by: subject } as const;
  const isNamed = others.length === 0 && !/^\d+$/.test(first);
  const finding = isNamed
    ? `No ${subject} is called ${JSON.stringify(first)}.`
    : `There is no ${subject} ${joinWords([first, ...others], "or", maxNames)}.`;
  const meant = others.length > 0 ? [] : findSuggestions(subject, first, known);
  const sentences = (wording: Wording) =>
    `${finding}${meant.length > 0 ? ` Did you mean ${joinWords(meant, "or")}?` : wording.listing(listing)}`;
  return new ReportOptionError(`--${subject}`, sentences, listing);
}

/**
 * Returns labels of entities whose name contains the text, otherwise of those with the closest names. For locations,
 * also returns the closest city; for a campaign's key, that campaign.
 */
function findSuggestions(subject: Subject, word: string, known: readonly NamedSubject[]): readonly string[] {
  const labelsOf = (found: readonly NamedSubject[]) =>
    found.slice(0, maxNames).map((one) => formatLabel(subject, one));
  const ofKey = known.filter(({ key, id }) => key !== id && String(key) === word);
  if (ofKey.length > 0) return labelsOf(ofKey);
  const isNumber = /^\d+$/.test(word);
  // A number matches only whole words of a name.
  const containing = known.filter(({ name }) =>
    (isNumber ? normalizeName(name).split(" ") : normalizeName(name)).includes(normalizeName(word)),
  );
  if (containing.length > 0) return labelsOf(containing);
  const listTexts = ({ id, name }: NamedSubject) =>
    isNumber ? [String(id)] : [normalizeName(name), ...normalizeName(name).split(" ")];
  const cities =
    subject === "location" && !isNumber ? known.flatMap(({ detail }) => (detail ? [detail] : [])) : [];
  const nearest = findClosestWord(normalizeName(word), [
    ...cities.map(normalizeName),
    ...known.flatMap(listTexts),
  ]);
  if (nearest === undefined) return [];
  const city = cities.find((one) => normalizeName(one) === nearest);
  return city === undefined ? labelsOf(known.filter((one) => listTexts(one).includes(nearest))) : [city];
}

function groupBy(
  known: readonly NamedSubject[],
  keyOf: (one: NamedSubject) => string,
): ReadonlyMap<string, readonly NamedSubject[]> {
  const groups = new Map<string, NamedSubject[]>();
  for (const one of known) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

/**
 * Resolves ids and names. A campaign's id matches all requested kinds, because signage and messaging share ids.
 * @throws {ReportOptionError} for what is not published, with suggestions
 */
export async function resolveChosen(
  mart: PublishedMart,
  { chosen, ...request }: ReportRequest,
): Promise<ReportOptions> {
  const resolveKeys = async (subject: Subject): Promise<number[]> => {
    const words = chosen[subject];
    if (words === undefined) return [];
    return resolveEntities(subject, words, await listEligible(mart, subject, request.kinds)).map(
      ({ key }) => key,
    );
  };
  await assertIdsExist(mart, request);
  const attributes = await findAttributes(mart, request);
  return {
    ...request,
    entry: chooseEntry(request, attributes),
    groupIds: await resolveKeys("group"),
    zoneIds: await resolveKeys("zone"),
    locationIds: await resolveKeys("location"),
    campaignKeys: await resolveKeys("campaign"),
    attributes,
  };
}

/** Resolves attributes. Most requests contain none. */
async function findAttributes(
  mart: PublishedMart,
  request: Pick<ReportRequest, "entry" | "by" | "where">,
): Promise<ChosenAttribute[]> {
  const words = listGroupings(request.entry, request.by);
  if (request.where === undefined && request.by.every((word) => words.includes(word))) return [];
  const { resolveAttributes } = await import("./find-attributes.ts");
  return await resolveAttributes(mart, request);
}

/** Replaces names with ids, unless the id would match more than the name. Throws the same errors as `resolveChosen`. */
export async function replaceNamesByIds(mart: PublishedMart, request: ReportRequest): Promise<ReportRequest> {
  const chosen: Partial<Record<Subject, readonly string[]>> = {};
  for (const subject of subjects) {
    const words = request.chosen[subject];
    if (words === undefined) continue;
    const eligible = await listEligible(mart, subject, request.kinds);
    const found = resolveEntities(subject, words, eligible);
    const ids = [...new Set(found.map(({ id }) => String(id)))];
    chosen[subject] = resolveEntities(subject, ids, eligible).length === found.length ? ids : words;
  }
  return { ...request, chosen };
}

async function listEligible(
  mart: PublishedMart,
  subject: Subject,
  ofKinds: readonly string[],
): Promise<NamedSubject[]> {
  const kinds = subject === "campaign" ? ofKinds : [];
  const known = await listNamedEntities(mart, subject);
  return known.filter(({ detail }) => kinds.length === 0 || kinds.includes(detail ?? ""));
}

/** @throws {ReportOptionError} for requested items, artists, devices or loads that do not exist */
async function assertIdsExist(mart: PublishedMart, request: Omit<ReportRequest, "chosen">): Promise<void> {
  for (const { key, word, table, listing } of idWords) {
    const ids = request[key] ?? [];
    if (ids.length === 0) continue;
    const found = await mart.all<{ id: number | bigint }>(
      `select distinct ${word}_id as id from ${table} where ${word}_id in (${ids.join(", ")})`,
    );
    const known = new Set(found.map(({ id }) => String(id)));
    const unknown = ids.map(String).filter((id) => !known.has(id));
    if (unknown.length > 0) {
      throw new ReportOptionError(
        `--${word}`,
        (wording) => `There is no ${word} ${joinWords(unknown, "or", 3)}.${wording.listing(listing)}`,
        listing,
      );
    }
  }
}
