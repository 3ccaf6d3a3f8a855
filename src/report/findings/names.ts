import { listNamesakes, type NamedSubject } from "../options/named-entities.ts";
import { type ReportOptions, type Subject, subjects } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { ReportColumn, ReportValue } from "../result-types.ts";

export interface EqualNames {
  /** Returns text that distinguishes equal names, e.g. a zone's location; `undefined` for a unique name. */
  findMark(subject: Subject, key: ReportValue | undefined): string | undefined;
}

/** Columns that identify a row's entity: for campaigns the key, because signage and messaging share ids. */
const keyColumns: Readonly<Record<Subject, string>> = {
  group: "group_id",
  zone: "zone_id",
  location: "location_id",
  campaign: "campaign_key",
};

export async function findEqualNames(mart: PublishedMart): Promise<EqualNames> {
  const marks = new Map<string, string>();
  const found = await listNamesakes(mart);
  for (const subject of subjects) {
    const repeated = findRepeated(found[subject].map(toNameKey));
    for (const one of found[subject]) {
      const isAlone = !repeated.has(toNameKey(one));
      marks.set(`${subject} ${one.key}`, findMark(subject, one, isAlone));
    }
  }
  return { findMark: (subject, key) => marks.get(`${subject} ${key}`) };
}

/** Adds suffixes to names that are not unique. */
export function disambiguateNames(columns: readonly ReportColumn[], names: EqualNames): ReportColumn[] {
  return columns.map((column) => {
    const subject = subjects.find((word) => column.name === `${word}_name`);
    const position = subject && columns.findIndex(({ name }) => name === keyColumns[subject]);
    if (subject === undefined || position === undefined || position < 0) return column;
    return { ...column, mark: (row) => names.findMark(subject, row[position]) };
  });
}

/** Returns a zone's display name, e.g. `Bar`, or `Bar (Main Street)` if zones share the name. */
export function nameZone(row: Readonly<Record<string, ReportValue>>, names: EqualNames): string {
  const mark = names.findMark("zone", row.zone_id);
  return `${row.zone_name ?? row.zone_id}${mark === undefined ? "" : ` (${mark})`}`;
}

/** Returns a campaign's display name, e.g. `Late Night (signage)`, or `Late Night (signage 7)` if shared. */
export function nameCampaign(row: Readonly<Record<string, ReportValue>>, names: EqualNames): string {
  return `${row.campaign_name ?? row.campaign_id} (${names.findMark("campaign", row.campaign_key) ?? row.kind})`;
}

/** @param isAlone true if the entity's detail is unique among its namesakes */
function findMark(subject: Subject, { id, detail }: NamedSubject, isAlone: boolean): string {
  if (subject === "campaign") return `${detail} ${id}`;
  if (detail === null) return String(id);
  return isAlone ? detail : `${detail}, ${id}`;
}

function toNameKey({ name, detail }: NamedSubject): string {
  return JSON.stringify([name, detail]);
}

function findRepeated(texts: readonly string[]): Set<string> {
  const seen = new Set<string>();
  return new Set(texts.filter((text) => seen.size === seen.add(text).size));
}

interface PlayedNames {
  /** Absent unless one item was requested and its id matches one item. */
  item?: string;
  /** Absent unless one artist was requested. */
  artist?: string;
}

export async function findPlayedNames(
  mart: PublishedMart,
  { itemIds = [], artistIds = [], kinds }: Pick<ReportOptions, "itemIds" | "artistIds" | "kinds">,
): Promise<PlayedNames> {
  const named = async (sql: string, ids: readonly number[]) =>
    ids.length === 1 ? await mart.all<{ kind?: string; name: string }>(sql, [...ids]) : [];
  const items = (
    await named("select kind, item_name as name from dim_item where item_id = ?", itemIds)
  ).filter(({ kind }) => kinds.length === 0 || kinds.some((one) => one === kind));
  const [artist] = await named("select artist_name as name from dim_artist where artist_id = ?", artistIds);
  const [item] = items;
  return {
    ...(item && items.length === 1 && { item: item.name }),
    ...(artist && { artist: artist.name }),
  };
}
