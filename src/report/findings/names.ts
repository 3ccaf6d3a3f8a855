import { type Known, listNamesakes } from "../options/known-subjects.ts";
import { type ReportOptions, type Subject, subjects } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { ReportColumn, ReportValue } from "../report.ts";

/** What tells those apart that are called alike. */
export interface EqualNames {
  /** E.g. the location of a zone whose name another zone has, too; `undefined` where a name is the only one. */
  markOf(subject: Subject, key: ReportValue | undefined): string | undefined;
}

/** Columns that say which one it is: of a campaign its key, as signage and messaging number theirs alike. */
const keyColumns: Readonly<Record<Subject, string>> = {
  group: "group_id",
  zone: "zone_id",
  location: "location_id",
  campaign: "campaign_key",
};

/** Of one version they stay as they are, and a page makes several reports. */
const known = new WeakMap<PublishedMart, Promise<EqualNames>>();

export function findEqualNames(mart: PublishedMart): Promise<EqualNames> {
  const names = known.get(mart) ?? readEqualNames(mart);
  known.set(mart, names);
  return names;
}

/** The columns of names, with a mark on those that another one has, too. */
export function tellApart(columns: readonly ReportColumn[], names: EqualNames): ReportColumn[] {
  return columns.map((column) => {
    const subject = subjects.find((word) => column.name === `${word}_name`);
    const position = subject && columns.findIndex(({ name }) => name === keyColumns[subject]);
    if (subject === undefined || position === undefined || position < 0) return column;
    return { ...column, mark: (row) => names.markOf(subject, row[position]) };
  });
}

/** A row's zone as people call it, e.g. `Bar`, or `Bar (Main Street)` where there are two. */
export function nameZone(row: Readonly<Record<string, ReportValue>>, names: EqualNames): string {
  const mark = names.markOf("zone", row.zone_id);
  return `${row.zone_name ?? row.zone_id}${mark === undefined ? "" : ` (${mark})`}`;
}

/** A row's campaign as people call it, with its kind, e.g. `Late Night (signage)`, or `Late Night (signage 7)`. */
export function nameCampaign(row: Readonly<Record<string, ReportValue>>, names: EqualNames): string {
  return `${row.campaign_name ?? row.campaign_id} (${names.markOf("campaign", row.campaign_key) ?? row.kind})`;
}

async function readEqualNames(mart: PublishedMart): Promise<EqualNames> {
  const marks = new Map<string, string>();
  const found = await listNamesakes(mart);
  for (const subject of subjects) {
    const repeated = findRepeated(found[subject].map(nameInFull));
    for (const one of found[subject]) {
      const isAlone = !repeated.has(nameInFull(one));
      marks.set(`${subject} ${one.key}`, markOf(subject, one, isAlone));
    }
  }
  return { markOf: (subject, key) => marks.get(`${subject} ${key}`) };
}

/** @param isAlone among its namesakes its detail is its own */
function markOf(subject: Subject, { id, detail }: Known, isAlone: boolean): string {
  if (subject === "campaign") return `${detail} ${id}`;
  if (detail === null) return String(id);
  return isAlone ? detail : `${detail}, ${id}`;
}

function nameInFull({ name, detail }: Known): string {
  return JSON.stringify([name, detail]);
}

function findRepeated(texts: readonly string[]): Set<string> {
  const seen = new Set<string>();
  return new Set(texts.filter((text) => seen.size === seen.add(text).size));
}

/** What played, by its newest name. */
interface PlayedNames {
  /** Absent where not one item was asked for, or its number is that of several. */
  item?: string;
  /** Absent where not one artist was asked for. */
  artist?: string;
}

/** The names of the one item and the one artist that were asked for. */
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
