import { createDrillDown } from "../../address/drill-down.ts";
import { describeMissingSources } from "../../findings/missing-sources.ts";
import { findPlayedNames, nameZone } from "../../findings/names.ts";
import { explainMissingHistory } from "../../findings/reported-days.ts";
import { buildAggregate, buildStatement } from "../../options/report-statement.ts";
import type { ReportValue } from "../../report.ts";
import { formatCount, formatDuration, formatQuantity } from "../../text/readable-text.ts";
import { explainMissingData, formatCoveredPeriod } from "../../text/spans.ts";
import type { RankingChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

type Row = Record<string, ReportValue>;

const maxRows = 15;

export async function describeSinglePlays(sources: PageSources): Promise<ReportPage> {
  const { mart, options, period, dataDays } = sources;
  const [total = {}] = await mart.all<Row>(...buildStatement("counted_plays", { ...options, period }));
  const count = (name: string) => Number(total[name] ?? 0);
  const when = formatCoveredPeriod(period, dataDays);
  const { item, artist } = await findPlayedNames(mart, options);
  const heading = [item, artist].filter((name) => name !== undefined).join(", ");
  const unknown =
    count("plays") === 0
      ? ((await explainMissingHistory(mart)) ??
        explainMissingData(period, dataDays) ??
        (await describeMissingSources(mart, options)))
      : undefined;
  return {
    ...(heading && { heading }),
    headline:
      count("plays") === 0
        ? (unknown ?? `No matching plays ${when}.`)
        : `${formatQuantity(count("plays"), "play")} of ${formatQuantity(count("items"), "item")} in ${formatQuantity(count("zones"), "zone")} ${when}.`,
    coverage: `all known plays ${when}`,
    facts:
      unknown === undefined
        ? [
            { figure: "plays", value: formatCount(count("plays")) },
            { figure: "play_seconds", value: formatDuration(count("play_seconds")) },
          ]
        : [],
    charts: await rankPlays(sources),
  };
}

/** Ranks plays of one item or artist by the dimensions that are not chosen yet. */
async function rankPlays({
  mart,
  options,
  request,
  period,
  names,
  link,
}: PageSources): Promise<RankingChart[]> {
  const isOne = (ids: readonly number[] = []) => ids.length === 1;
  const [isOfItem, isOfArtist] = [isOne(options.itemIds), isOne(options.artistIds)];
  if (!isOfItem && !isOfArtist) return [];
  const known = { zone: isOne(options.zoneIds), item: isOfItem, artist: isOfArtist };
  const charts: RankingChart[] = [];
  for (const by of ["zone", "item", "artist"] as const) {
    if (known[by]) continue;
    const rows = await mart.all<Row>(
      ...buildAggregate(
        "counted_plays",
        { ...options, period, by: [by], measures: ["plays"] },
        (found) => `select *, count(*) over () as found_rows
        from ${found}
        where ${by}_id is not null
        order by plays desc, ${by === "item" ? "kind, item_id" : `${by}_id`}
        limit ${maxRows}`,
      ),
    );
    const count = Number(rows[0]?.found_rows ?? 0);
    if (count === 0 || (by === "artist" && count === 1)) continue;
    charts.push({
      kind: "ranking",
      title: `Plays by ${by}`,
      summary: `${formatQuantity(count, by)}${count > maxRows ? `; the ${maxRows} with the most plays are shown` : ", most plays first"}.`,
      headings: [by, "plays"],
      rows: rows.map((row) => ({
        label: by === "zone" ? nameZone(row, names) : String(row[`${by}_name`]),
        value: Number(row.plays),
        text: formatCount(Number(row.plays)),
        href: link(createDrillDown(request, period, [by], row)),
      })),
    });
  }
  return charts;
}
