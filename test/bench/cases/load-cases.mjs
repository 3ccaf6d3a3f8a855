import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { spoiledCount } from "../history/spoil.mjs";
import { measureVenue } from "../measure/venue.mjs";

const allNew = ({ plays }) => ({ new_plays: plays });
const allKnown = ({ plays }) => ({ unchanged: plays });
const oneDayNew = ({ plays, playsOfOneDay }) => ({ unchanged: plays, new_plays: playsOfOneDay });

/** `onto`: the case whose data folder is copied and loaded into; `expect`: the load's line counts. */
const cases = [
  { what: "first load, by time", file: "by time", expect: allNew },
  { what: "first load, by zone", file: "by zone", expect: allNew },
  { what: "second load, by time", file: "by time", onto: "first load, by time", expect: allKnown },
  { what: "second load, by zone", file: "by zone", onto: "first load, by zone", expect: allKnown },
  { what: "again, by time", file: "by time", onto: "second load, by time", expect: allKnown },
  { what: "again, by zone", file: "by zone", onto: "second load, by zone", expect: allKnown },
  {
    what: "one more day, by time",
    file: "by time, one more day",
    onto: "second load, by time",
    expect: oneDayNew,
  },
  {
    what: "one more day, by zone",
    file: "by zone, one more day",
    onto: "second load, by zone",
    expect: oneDayNew,
  },
  { what: "again, lines shuffled", file: "shuffled", onto: "second load, by time", expect: allKnown },
  {
    what: "first load, 0.1 % broken lines",
    file: "broken",
    expect: ({ plays }) => ({ new_plays: plays - spoiledCount(plays), rejected: spoiledCount(plays) }),
  },
  { what: "first load, gzipped", file: "gzipped", expect: allNew },
];
export const loads = cases.map(({ what }) => what);

/** One round of all loads. First loads are kept for the cases that load onto them and for the build. */
export async function measureLoads({ folder, history, files, figures, say }) {
  for (const { what, file, onto, expect } of cases) {
    const data = loadedFolder(folder, what);
    rmSync(data, { recursive: true, force: true });
    say(what);
    await figures.take(what, async () => {
      if (onto) cpSync(loadedFolder(folder, onto), data, { recursive: true });
      return await files.with(file, async (path) => {
        const sample = await measureVenue(folder, data, ["load", path, "--kind", "music", "--json"]);
        assertLoaded(sample.stdout, expect(history));
        return sample;
      });
    });
    if (cases.every((other) => other.onto !== what)) rmSync(data, { recursive: true, force: true });
  }
}

export function loadedFolder(folder, what) {
  return join(folder, what.replaceAll(/[^a-z0-9]+/g, "-"));
}

/** @throws when the load's line counts differ from the expected ones */
function assertLoaded(stdout, expected) {
  const [load] = JSON.parse(stdout).loads;
  const zeros = { new_plays: 0, changed: 0, unchanged: 0, duplicate: 0, rejected: 0, blank: 0, vanished: 0 };
  const lines = Object.values(expected).reduce((sum, count) => sum + count, 0);
  for (const [name, count] of Object.entries({ ...zeros, ...expected, lines }))
    if (load[name] !== count) throw new Error(`the load counted ${load[name]} as ${name}; ${count} is right`);
}
