import { expect, it } from "vitest";
import { takeNextLandings } from "../../../src/load/landings/load-landings.ts";
import type { Landing, LandingSource } from "../../../src/state/data/landings.ts";

function landing(source: LandingSource, bytes = 1000): Landing {
  return { ...source, landingId: "", requestedAt: new Date(0), path: "", bytes, isComplete: true };
}

const walk = (zoneId: number, bytes?: number, kind: "music" | "signage" = "music") =>
  landing({ source: "walk", kind, zoneId }, bytes);
const exported = landing({ source: "export", kind: "music", groupId: 1 });
const campaigns = landing({ source: "campaigns", kind: "signage", zoneId: 7 });
const devices = landing({ source: "devices", groupId: 1 });

it.each<[string, Landing[], Landing[]]>([
  ["nothing", [], []],
  ["an export alone", [exported, walk(1)], [exported]],
  ["listings together", [devices, walk(1), campaigns, devices], [devices, campaigns, devices]],
  ["no listing from after an export", [devices, exported, campaigns], [devices]],
  ["walks of one kind", [walk(1), walk(2, 9, "signage"), devices, walk(3)], [walk(1), walk(3)]],
  ["no listing with walks, even of their kind", [walk(1, 9, "signage"), campaigns], [walk(1, 9, "signage")]],
  ["a zone once", [walk(1), walk(1), walk(2)], [walk(1), walk(2)]],
  ["none from after an export", [walk(1), walk(2), exported, walk(3)], [walk(1), walk(2)]],
  ["a large landing alone", [walk(1, 1e9), walk(2)], [walk(1, 1e9)]],
  ["a landing that is too large stays", [walk(1), walk(2, 1e9), walk(3)], [walk(1), walk(3)]],
  ["no later walk of a zone if the earlier one is too large", [walk(1), walk(2, 1e9), walk(2)], [walk(1)]],
  ["walks of 4 MB", [walk(1, 3e6), walk(2, 1e6), walk(3, 1)], [walk(1, 3e6), walk(2, 1e6)]],
  [
    "250 walks",
    Array.from({ length: 251 }, (_, zone) => walk(zone)),
    Array.from({ length: 250 }, (_, zone) => walk(zone)),
  ],
  [
    "2,000 listings",
    Array.from({ length: 2001 }, () => devices),
    Array.from({ length: 2000 }, () => devices),
  ],
])("%s", (_label, waiting, taken) => {
  const all = waiting.length;
  expect(takeNextLandings(waiting)).toEqual(taken);
  expect(waiting).toHaveLength(all - taken.length);
});
