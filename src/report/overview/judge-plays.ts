import { addDays } from "../../util/local-date.ts";
import { nameZone } from "../findings/equal-names.ts";
import { countOf, countText, dayText } from "../text/people-text.ts";
import type { OverviewSources, Row, Verdict } from "./verdict.ts";

/** Did every zone play on the last whole day that was to? Some close on a weekday, and some for good. */
export async function judgePlays({ mart, names, read, periodOf }: OverviewSources): Promise<Verdict> {
  const { from, to } = await periodOf("plays");
  const [day = {}] = await read("plays", { from: to, to });
  const expected = await mart.all<Row>(
    `select z.zone_id, z.zone_name, z.last_play_date, max(case when p.date = cast(? as date) then 1 else 0 end) as played
    from fact_play_zone_day as p
    inner join dim_zone as z on z.zone_id = p.zone_id
    where p.date in (cast(? as date), cast(? as date), cast(? as date), cast(? as date), cast(? as date))
    group by z.zone_id, z.zone_name, z.last_play_date
    having min(p.date) < cast(? as date)
    order by z.last_play_date, z.zone_name, z.zone_id`,
    [to, ...[0, 7, 14, 21, 28].map((days) => addDays(to, -days)), to],
  );
  const silent = expected.filter(({ played }) => Number(played) === 0);
  const [zones, isNothing] = [expected.length, Number(day.plays ?? 0) === 0];
  const where =
    zones === 0
      ? countOf(Number(day.zones ?? 0), "zone")
      : `${countText(zones - silent.length)} of ${countOf(zones, "expected zone")}`;
  const address = { view: "plays", words: { by: "zone", from: to, to } };
  return {
    question: "What played?",
    status: isNothing ? "bad" : silent.length > 0 ? "look at it" : "good",
    answer: `${countOf(Number(day.plays ?? 0), "play")} on ${dayText(to)}, in ${where}.`,
    rule: "Good: every expected zone played on that day; expected are those that played on this weekday in the four weeks before. Bad: nothing played.",
    address,
    worst: silent.slice(0, 3).map((zone) => ({
      text: `${nameZone(zone, names)} played nothing on ${dayText(to)}; it last played on ${dayText(String(zone.last_play_date))}.`,
      address: { view: "plays", words: { by: "date", zone: String(zone.zone_id), from, to } },
    })),
  };
}
