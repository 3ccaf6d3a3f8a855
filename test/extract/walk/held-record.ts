import fc from "fast-check";

/** A record that a service holds, and how it writes it. */
export interface HeldRecord {
  /** When it began, in hours since the service's first day, whether it says so or not. */
  hour: number;
  /** Records of one instant, item and form are the same to the letter. */
  item: number;
  form: "play" | "without offset" | "undated" | "no play" | "no object";
  /** Decides about its place where its instant doesn't. */
  salt: number;
}

const epochMs = Date.parse("2026-11-01T00:00:00Z");

/** Over four weeks and some days ahead; coarse in part, so that many begin together. */
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

/** As the service writes it, and a landing has it. */
export function lineOf({ hour, item, form }: HeldRecord): string {
  if (form === "no object") return JSON.stringify(`Bad Gateway ${item}`);
  if (form === "no play") return JSON.stringify({ zone_id: 7, broken: item });
  const instant = new Date(epochMs + hour * 3_600_000).toISOString().slice(0, 19);
  const play_start = form === "undated" ? "unknown" : `${instant}${form === "play" ? "+00:00" : ""}`;
  return JSON.stringify({ zone_id: 7, duration_secs: 180, play_start, song_id: item });
}

/** Until when loading rejects it, epoch ms: what lies over a day ahead is not taken yet. */
export function dueMs({ hour, form }: HeldRecord): number {
  return form === "play" ? epochMs + (hour - 24) * 3_600_000 : Number.NEGATIVE_INFINITY;
}
