import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { canPreload } from "../support/preload-library.ts";
import { setUpIn } from "../support/service.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { recordCalls } from "./failing-calls.ts";

const part = "data/landing/music-zone-N-walk-ID.jsonl.part";

// A power cut loses what was not synced. No test can cut the power, but the order of the calls shows what
// would be lost. The run lock's heartbeat also writes to state.db, every 10 s, so an attempt can fail on a slow machine.
const attempts = { retry: 2 };
it.runIf(canPreload)(
  "records a page of a walk once the page and its file name are on disk",
  attempts,
  async () => {
    const workingFolder = join(createTempFolder(), "work");
    mkdirSync(workingFolder);
    // A single walk, so that each record in state.db refers to the last file written.
    const faults = ["signage", "messaging"].map((kind) => ({
      name: "zone-gone" as const,
      endpoint: `GET /v5/ext/data/${kind}/`,
    }));
    const setup = await setUpIn(workingFolder, { days: 3, zones: 1, playScale: 0.1, pageLimit: 25, faults });
    try {
      const { stderr, calls } = await recordCalls(["sync", "history", "--mode", "walk"], setup);
      const steps = calls.map(({ step }) => step);
      const walk = steps.slice(steps.indexOf(`open ${part}`), steps.indexOf(`rename ${part}`) + 20);
      expect(walk.filter((step) => step === `write ${part}`).length, stderr).toBeGreaterThan(3);
      const unsynced = new Set<string>();
      const recordedEarly: string[] = [];
      for (const step of walk) {
        const [does = "", path = ""] = step.split(" ");
        if (step === `open ${part}` || step === `rename ${part}`) unsynced.add("data/landing");
        if (step === `write ${part}`) unsynced.add(part);
        if (does === "sync") unsynced.delete(path);
        if (step === "write data/state.db-wal") recordedEarly.push(...unsynced);
      }
      expect(recordedEarly).toEqual([]);
    } finally {
      await setup.emulator.close();
    }
  },
);
