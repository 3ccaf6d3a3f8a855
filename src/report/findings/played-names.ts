import type { ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";

/** What played, by its newest name. */
export interface PlayedNames {
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
