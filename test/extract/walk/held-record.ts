import fc from "fast-check";

/** A record held by a service, and its form. */
export interface HeldRecord {
  /** Start in hours since the service's first day, even if the record omits it. */
  hour: number;
  /** Records with equal instant, item and form have identical text. */
  item: number;
  form: "play" | "without offset" | "undated" | "no play" | "no object";
  /** Orders records with equal instants. */
  salt: number;
}

const epochMs = Date.parse("2026-11-01T00:00:00Z");

/** Over four weeks and some days into the future; partly coarse, so that many coincide. */
const hour = fc.oneof(
  fc.integer({ min: -300, max: 120 }),
  fc.integer({ min: -12, max: 5 }).map((days) => days * 24),
);

export const heldRecord: fc.Arbitrary<HeldRecord> = fc.record({
  hour,
  item: fc.nat({ max: 5 }),
  form: fc.oneof(
    { weight: 12, arbitrary: fc.constant("play" as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("without offset", "undated", "no play", "no object"),
    },
  ),
  salt: fc.nat({ max: 1000 }),
});

/** The line in the service's response and in a landing. */
export function lineOf({ hour, item, form }: HeldRecord): string {
  if (form === "no object") return JSON.stringify(`Bad Gateway ${item}`);
  if (form === "no play") return JSON.stringify({ zone_id: 7, broken: item });
  const instant = new Date(epochMs + hour * 3_600_000).toISOString().slice(0, 19);
  const play_start = form === "undated" ? "unknown" : `${instant}${form === "play" ? "+00:00" : ""}`;
  return JSON.stringify({ zone_id: 7, duration_secs: 180, play_start, song_id: item });
}

/** End of the period in which loading rejects it as more than a day ahead, epoch ms. */
export function dueMs({ hour, form }: HeldRecord): number {
  return form === "play" ? epochMs + (hour - 24) * 3_600_000 : Number.NEGATIVE_INFINITY;
}
