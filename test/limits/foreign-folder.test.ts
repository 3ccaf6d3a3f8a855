import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { isAll } from "../support/long-suite.ts";
import { canRunThrough, runVenue, startVenue } from "../support/run-venue.ts";
import { type Setup, setUp } from "../support/service.ts";

const asAnotherUser = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

/** The wrapped command finds the folder on a read-only disk. */
function withReadOnly(folder: string): string[] {
  const mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  return ["unshare", "--mount", "sh", "-c", mount, folder];
}

const ways: [label: string, isPossible: boolean, (setup: Setup) => readonly string[]][] = [
  ["owned by another user", canRunThrough(asAnotherUser), () => asAnotherUser],
  [
    "on a read-only disk",
    isAll && canRunThrough(withReadOnly("/tmp")),
    ({ dataFolder }) => withReadOnly(dataFolder),
  ],
];
const writing = [["sync"], ["build"], ["check"], ["publish", "--to", "copy"], ["backup", "--to", "kept"]];
const reading = [
  ["report", "plays", "--by", "zone"],
  ["query", "select count(*) as n from fact_play"],
  ["rejects"],
];
const few = isAll ? Number.POSITIVE_INFINITY : 1;

for (const [label, isPossible, throughOf] of ways) {
  it.runIf(isPossible)(
    `reads a data folder ${label}, and reports in one message that it can't be changed`,
    async () => {
      const setup = await setUp({ days: 2, zones: 2, playScale: 0.1 });
      // Temporary folders are closed to others.
      for (const folder of [dirname(setup.workingFolder), setup.workingFolder]) chmodSync(folder, 0o755);
      const run = async (words: string[], options: object = {}) =>
        await startVenue(words, { ...setup, ...options }).finished;
      for (const words of [["sync", "history"], ["build"]])
        expect((await runVenue(words, setup)).code).toBe(0);
      const before = readdirSync(setup.dataFolder, { recursive: true });

      const VENUE_HOME = join(setup.workingFolder, "home of another");
      mkdirSync(VENUE_HOME);
      chmodSync(VENUE_HOME, 0o777);
      const elsewhere = { environment: { ...setup.environment, VENUE_HOME }, through: throughOf(setup) };
      for (const words of writing.slice(0, few)) {
        const { code, stdout, stderr } = await run(words, elsewhere);
        expect([code, stdout], words.join(" ")).toEqual([2, ""]);
        expect(stderr).toMatch(
          /^venue: The folder \S+data can't be used: E\w+: .*\. Make it writable, or set VENUE/,
        );
      }
      const state = await run(["runs"], elsewhere);
      expect([state.code, state.stderr]).toEqual([
        2,
        expect.stringMatching(/state\.db can't be used: .*permissions\.$/m),
      ]);
      for (const words of reading.slice(0, few))
        expect(await run(words, elsewhere)).toEqual(await run(words));
      expect(readdirSync(setup.dataFolder, { recursive: true })).toEqual(before);
    },
  );
}
