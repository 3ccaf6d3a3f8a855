import { nameZone } from "../findings/equal-names.ts";
import { countOf, countText, dayText } from "../text/people-text.ts";
import type { OverviewSources, Row, Verdict } from "./verdict.ts";

/** Did every zone play on the last whole day? */
export async function judgePlays({ mart, names, read, periodOf }: OverviewSources): Promise<Verdict> {
  const { from, to } = await periodOf("plays");
  const [day = {}] = await read("plays", { from: to, to });
  const silent = await mart.all<Row>(
    `select zone_id, zone_name, last_play_date from dim_zone
    where last_play_date is null or last_play_date < cast(? as date)
    order by last_play_date, zone_name, zone_id`,
    [to],
  );
  const [known] = await mart.all<{ zones: number }>("select count(*) as zones from dim_zone");
  const [zones, played] = [known?.zones ?? 0, Number(day.zones ?? 0)];
  const address = { view: "plays", words: { by: "zone", from: to, to } };
  return {
    question: "What played?",
    status: played === 0 ? "bad" : played < zones ? "look at it" : "good",
    answer: `${countOf(Number(day.plays ?? 0), "play")} on ${dayText(to)}, in ${countText(played)} of ${countOf(zones, "zone")}.`,
    rule: "Good: every zone played on that day. Bad: none did.",
    address,
    worst: silent.slice(0, 3).map((zone) => ({
      text: `${nameZone(zone, names)} has played nothing since ${zone.last_play_date == null ? "it is known" : dayText(String(zone.last_play_date))}.`,
      address: { view: "plays", words: { by: "date", zone: String(zone.zone_id), from, to } },
    })),
  };
}
