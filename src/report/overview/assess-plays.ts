import { addDays } from "../../util/local-date.ts";
import { catalog } from "../catalog/catalog.ts";
import { describeMissingSources } from "../findings/missing-sources.ts";
import { nameZone } from "../findings/names.ts";
import { explainMissingHistory } from "../findings/reported-days.ts";
import { formatCount, formatDay, formatQuantity } from "../text/readable-text.ts";
import type { Assessment, OverviewSources, Row } from "./assessment.ts";
import { readTrend } from "./trend.ts";

/** Compares with the zones that usually play on this weekday, because zones close on some weekdays or for good. */
export async function assessPlays(sources: OverviewSources): Promise<Assessment> {
  const { mart, names, read, daysOf } = sources;
  const days = await daysOf("plays");
  const { from, to } = days.period;
  const [day = {}] = await read("plays", { from: to, to, measures: ["plays", "zones"] });
  const { zones, silentZones, silent } = await findExpectedZones(mart, to);
  const isNothing = Number(day.plays ?? 0) === 0;
  const isClosed = isNothing && zones === 0 && (await hasPlaysOnOtherDays(mart, to));
  // If nothing played, the history may just not have been collected yet.
  const unknown = isNothing
    ? ((await explainMissingHistory(mart)) ?? (await describeMissingSources(mart, { entry: catalog.plays })))
    : undefined;
  const where =
    zones === 0
      ? formatQuantity(Number(day.zones ?? 0), "zone")
      : `${formatCount(zones - silentZones)} of ${formatQuantity(zones, "expected zone")}`;
  const address = { view: "plays", words: { by: "zone", from: to, to } };
  return {
    question: "What played?",
    status: unknown
      ? "not known yet"
      : isNothing && !isClosed
        ? "bad"
        : silentZones > 0
          ? "needs attention"
          : "good",
    answer:
      unknown ??
      (isClosed
        ? `No plays on ${formatDay(to)}: no zone plays on this weekday.`
        : `${formatQuantity(Number(day.plays ?? 0), "play")} on ${formatDay(to)}, in ${where}.`),
    rule: "Good: every expected zone played on that day; a zone is expected if it played on this weekday in the four weeks before. Bad: nothing played, although zones were expected or nothing has played for a week. Not known yet: no history was collected.",
    address,
    trend: await readTrend(sources, "plays", { title: "Plays per day", measure: "plays", isShare: false }),
    worst: silent.map((zone) => ({
      text: `${nameZone(zone, names)} had no plays on ${formatDay(to)}; its last play was on ${formatDay(String(zone.last_play_date))}.`,
      address: { view: "plays", words: { by: "date", zone: String(zone.zone_id), from, to } },
    })),
  };
}

/** Counts zones that played on this weekday in the last four weeks, and lists those silent longest. */
async function findExpectedZones(mart: OverviewSources["mart"], to: string) {
  const expected = `(
    select z.zone_id, z.zone_name, z.last_play_date, max(case when p.date = cast(? as date) then 1 else 0 end) as played
    from fact_play_zone_day as p
    inner join dim_zone as z on z.zone_id = p.zone_id
    where p.date in (cast(? as date), cast(? as date), cast(? as date), cast(? as date), cast(? as date))
    group by z.zone_id, z.zone_name, z.last_play_date
    having min(p.date) < cast(? as date)
  ) as e`;
  const days = [to, ...[0, 7, 14, 21, 28].map((count) => addDays(to, -count)), to];
  const [counted] = await mart.all<{ zones: number; silent_zones: number }>(
    `select count(*) as zones, count(case when played = 0 then 1 end) as silent_zones from ${expected}`,
    days,
  );
  const silent = await mart.all<Row>(
    `select zone_id, zone_name, last_play_date
    from ${expected}
    where played = 0
    order by last_play_date, zone_name, zone_id
    limit 3`,
    days,
  );
  return { zones: counted?.zones ?? 0, silentZones: counted?.silent_zones ?? 0, silent };
}

/** Returns true if the data begins at least a week earlier, and anything played in the six days before. */
async function hasPlaysOnOtherDays(mart: OverviewSources["mart"], to: string): Promise<boolean> {
  const [span] = await mart.all<{ first: string | null; last: string | null }>(
    "select min(date) as first, max(date) as last from fact_play_zone_day where date <= cast(? as date)",
    [to],
  );
  const weekBefore = addDays(to, -7);
  return span?.first != null && span.first <= weekBefore && span.last !== null && span.last > weekBefore;
}
