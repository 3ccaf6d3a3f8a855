import { largestId } from "../../util/kind.ts";
import { findClosing, findSeconds } from "./opening-hours.ts";
import type { LineMistake, ReferenceRow } from "./reference-file.ts";
import { findDateMistake, readDates } from "./valid-dates.ts";

export const footfallColumns = [
  ...["zone_id", "location_id", "day_of_week", "from", "to"],
  ...["people_per_hour", "people_per_play", "dwell_seconds", "source"],
];

const daySeconds = 86_400;

export const checkFootfall = {
  findMistake(row: ReferenceRow): readonly [value: string, accepted: string] | undefined {
    const { zone_id: zone = "", location_id: location = "", day_of_week: day = "", source = "" } = row.values;
    const { from = "", to = "" } = row.values;
    const {
      people_per_hour: perHour = "",
      people_per_play: perPlay = "",
      dwell_seconds: dwell = "",
    } = row.values;
    if ((zone === "") === (location === ""))
      return [[zone, location].join(), "either a zone_id or a location_id"];
    if (!/^\d+$/.test(zone + location) || Number(zone + location) > largestId)
      return [zone + location, `a zone_id or location_id from 0 to ${largestId}`];
    if (!/^[1-7]?$/.test(day))
      return [day, "a day_of_week from 1 (Monday) to 7 (Sunday), or empty for every day"];
    if (from !== "" && findSeconds(from) === undefined)
      return [from, "from as HH:MM, from 00:00 to 23:59, or empty for midnight"];
    if (to !== "" && findClosing(to) === undefined)
      return [to, "to as HH:MM, from 00:00 to 24:00, or empty for midnight"];
    const { opens_secs: start, closes_secs: end } = readFootfall(row);
    if (end <= start)
      return [`${from} to ${to}`, "a to after from; hours past midnight need a line for the next day"];
    if ((perHour === "") === (perPlay === ""))
      return [[perHour, perPlay].join(), "either people_per_hour or people_per_play"];
    if (!/^\d{1,5}(\.\d{1,3})?$/.test(perHour + perPlay))
      return [
        perHour + perPlay,
        "people as a number below 100000 with up to three decimals, such as 120 or 0.5",
      ];
    if (perHour !== "" && !/^[1-9]\d{0,3}$/.test(dwell))
      return [dwell, "dwell_seconds from 1 to 9999, which people_per_hour needs"];
    if (perPlay !== "" && dwell !== "") return [dwell, "an empty dwell_seconds with people_per_play"];
    if (source === "") return [source, "a source, such as door counter 2026"];
    return findDateMistake(row);
  },

  /** Finds lines of one zone or location that share a time. */
  findContradictions(rows: readonly ReferenceRow[]): LineMistake[] {
    const ofPlace = new Map<string, (Footfall & { lineNumber: number })[]>();
    return rows.flatMap((row) => {
      const { lineNumber, values } = row;
      const { subject, text } = identifyPlace(row);
      const lines = ofPlace.get(`${subject} ${text}`) ?? [];
      const line = { lineNumber, ...readFootfall(row) };
      const other = lines.find((one) => isOverlapping(one, line));
      lines.push(line);
      ofPlace.set(`${subject} ${text}`, lines);
      if (!other) return [];
      const accepted = `times or dates that do not overlap those of line ${other.lineNumber}`;
      return [{ lineNumber, value: Object.values(values).join(), accepted }];
    });
  },
};

export function identifyPlace({ values: { zone_id: zone = "", location_id: location } }: ReferenceRow) {
  const subject = zone === "" ? ("location" as const) : ("zone" as const);
  const key = Number(zone || location);
  return { subject, key, text: String(key) };
}

/**
 * Reads a line. `people` is the number of people per play, in 3,600,000ths, so it is an integer. Each person stays for
 * the dwell time, so people per hour × dwell seconds ÷ 3,600 are present at any moment.
 */
export function readFootfall(row: ReferenceRow) {
  const { location_id: location = "", day_of_week: day = "", from = "", to = "", source } = row.values;
  const { people_per_hour: perHour = "", people_per_play: perPlay = "", dwell_seconds: dwell } = row.values;
  const thousandths = Math.round(Number(perHour + perPlay) * 1000);
  return {
    is_location: location !== "",
    day_of_week: day === "" ? null : Number(day),
    opens_secs: findSeconds(from) ?? 0,
    closes_secs: to === "" ? daySeconds : findClosing(to) || daySeconds,
    people: thousandths * (perHour === "" ? 3600 : Number(dwell)),
    value: source ?? "",
    ...readDates(row),
  };
}

type Footfall = ReturnType<typeof readFootfall>;

function isOverlapping(one: Footfall, other: Footfall): boolean {
  const isSameDay =
    one.day_of_week === null || other.day_of_week === null || one.day_of_week === other.day_of_week;
  return (
    isSameDay &&
    one.opens_secs < other.closes_secs &&
    other.opens_secs < one.closes_secs &&
    one.valid_from <= other.valid_to &&
    other.valid_from <= one.valid_to
  );
}
