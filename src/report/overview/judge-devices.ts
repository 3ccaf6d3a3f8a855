import { nameZone } from "../findings/equal-names.ts";
import { countOf, countText, durationText } from "../text/people-text.ts";
import type { OverviewSources, Row, Verdict } from "./verdict.ts";

/** Which devices need a look now? */
export async function judgeDevices({ names, read }: OverviewSources): Promise<Verdict> {
  const devices = await read("devices");
  const down = devices.filter(({ state }) => state === "down");
  const silent = devices.filter(({ state }) => state === "silent");
  const withError = devices.filter(({ last_sd_error }) => last_sd_error != null);
  const isAnything = silent.length + withError.length > 0;
  return {
    question: "Which devices need a look now?",
    status: down.length > 0 ? "bad" : isAnything || devices.length === 0 ? "look at it" : "good",
    answer: `Of ${countOf(devices.length, "device")}, ${countText(down.length)} ${down.length === 1 ? "is" : "are"} down, ${countText(silent.length)} up but silent; ${countText(withError.length)} had a storage error.`,
    rule: "Good: none is down, silent, or had a storage error. Bad: one is down.",
    address: { view: "devices", words: {} },
    worst: [
      ...down.map((device) =>
        findingOf(
          nameZone(device, names),
          device,
          device.down_for_seconds == null
            ? "is down"
            : `has been down for ${lengthOf(device.down_for_seconds)}`,
        ),
      ),
      ...silent.map((device) =>
        findingOf(
          nameZone(device, names),
          device,
          `is up but has been silent for ${lengthOf(device.silent_for_seconds)}`,
        ),
      ),
    ].slice(0, 3),
  };
}

function findingOf(name: string, { zone_id }: Row, what: string) {
  return {
    text: `${name} ${what}.`,
    address: { view: "devices", words: { zone: String(zone_id) } },
  };
}

function lengthOf(seconds: Row[string] | undefined): string {
  return durationText(Number(seconds ?? 0));
}
