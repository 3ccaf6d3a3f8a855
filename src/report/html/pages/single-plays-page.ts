import { createDrillDown } from "../../address/drill-down.ts";
import { countedPlays } from "../../catalog/single-plays.ts";
import { findPlayedNames, nameZone } from "../../findings/names.ts";
import { buildStatement } from "../../options/build-statement.ts";
import { formatCount, formatQuantity } from "../../text/readable-text.ts";
import type { PageSources, Row } from "../page-sources.ts";
import { explainNone } from "../read/explain-nothing.ts";
import { rank } from "../read/rank-rows.ts";
import type { PageDeclaration, ReadCharts } from "../report-page.ts";

export async function declareSinglePlays({ mart, options }: PageSources): Promise<PageDeclaration> {
  const { item, artist } = await findPlayedNames(mart, options);
  const heading = [item, artist].filter((name) => name !== undefined).join(", ");
  return {
    ...(heading && { heading }),
    total: async ({ period }) => {
      const [total = {}] = await mart.all<Row>(...buildStatement(countedPlays, { ...options, period }));
      return total;
    },
    explain: explainNone("plays"),
    headline: ({ count, when }) =>
      count("plays") === 0
        ? `No matching plays ${when}.`
        : `${formatQuantity(count("plays"), "play")} of ${formatQuantity(count("items"), "item")} in ${formatQuantity(count("zones"), "zone")} ${when}.`,
    coverage: ({ when }) => `all known plays ${when}`,
    facts: [{ figure: "plays" }, { figure: "play_seconds" }],
    charts: listRankings(options),
  };
}

/** Ranks plays of one item or artist by the dimensions that are not filtered yet. */
function listRankings({ itemIds, artistIds, zoneIds }: PageSources["options"]): ReadCharts[] {
  const isOne = (ids: readonly number[] = []) => ids.length === 1;
  const known = { zone: isOne(zoneIds), item: isOne(itemIds), artist: isOne(artistIds) };
  if (!known.item && !known.artist) return [];
  const words = (["zone", "item", "artist"] as const).filter((word) => !known[word]);
  return words.map((by) =>
    rank({
      title: `Plays by ${by}`,
      source: countedPlays,
      by: [by],
      value: "r.plays",
      where: `r.${by}_id is not null`,
      keys: by === "item" ? ["kind", "item_id"] : [`${by}_id`],
      headings: [by, "plays"],
      textOf: formatCount,
      labelOf: (row, { names }) => (by === "zone" ? nameZone(row, names) : String(row[`${by}_name`])),
      addressOf: (row, { request, period }) => createDrillDown(request, period, [by], row),
      isWorthDrawing: ({ length }) => by !== "artist" || length > 1,
    }),
  );
}
