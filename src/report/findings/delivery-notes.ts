import { decodeKey } from "../../util/kind.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { formatDay, formatQuantity, joinWords } from "../text/readable-text.ts";
import { noteImpressions } from "./play-notes.ts";

/** Maximum campaigns named in the note. */
const maxNames = 3;

/** Lists campaigns whose lines have no row, because the campaigns were never listed. */
export async function noteUnlisted(mart: PublishedMart): Promise<string[]> {
  const rows = await mart.all<{ campaign_key: number }>(
    `select distinct t.campaign_key
    from dim_campaign_target as t
    left join dim_campaign as c on c.campaign_key = t.campaign_key
    where c.campaign_key is null
    order by t.campaign_key`,
  );
  if (rows.length === 0) return [];
  const names = rows.map(({ campaign_key: key }) => {
    const { kind, id } = decodeKey(Number(key));
    return `${kind} ${id}`;
  });
  const verb = rows.length === 1 ? "was" : "were";
  return [
    `${formatQuantity(rows.length, "campaign")} of reference/campaign_targets.csv ${verb} never listed, and ${rows.length === 1 ? "has" : "have"} no row: ${joinWords(names, "and", maxNames)}.`,
  ];
}

/** Returns a note on lines with a total that begin before the first day with data. */
export async function noteEarlyLines(mart: PublishedMart): Promise<string[]> {
  const [early] = await mart.all<{ lines: number; first_date: string | null }>(
    `select count(*) as lines, min(d.first_date) as first_date
    from (select min(date) as first_date from fact_campaign_zone_day) as d
    inner join dim_campaign_target as t on (t.plays is not null or t.impressions is not null) and t.valid_from < d.first_date`,
  );
  const { lines = 0, first_date: first } = early ?? {};
  if (Number(lines) === 0 || !first) return [];
  const [verb, whose] = Number(lines) === 1 ? ["begins", "Its"] : ["begin", "Their"];
  return [
    `${formatQuantity(Number(lines), "line")} ${verb} before ${formatDay(first)}, the first day with data. ${whose} bookings are spread over the days since.`,
  ];
}

/** Returns the impressions formula and its sources, if any impressions are booked. */
export async function noteBookedImpressions(mart: PublishedMart): Promise<string[]> {
  const [booked] = await mart.all<{ lines: number }>(
    "select count(impressions) as lines from dim_campaign_target",
  );
  return Number(booked?.lines) > 0 ? await noteImpressions(mart) : [];
}
