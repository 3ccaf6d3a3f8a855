import { readFileSync } from "node:fs";
import type { EmulatorOptions } from "../../../src/emulator/emulator.ts";
import type { TruePlay } from "../../../src/emulator/world/plays/true-play.ts";
import { collectWalk, type WalkResult } from "../../../src/extract/walk/collect-walk.ts";
import type { Kind } from "../../../src/util/kind.ts";
import { readPlays } from "../../emulator/world/read-plays.ts";
import { type ExtractFixture, startFixture } from "../extract-fixture.ts";

/** Walks one zone of an emulated service repeatedly and keeps all its lines. */
export interface WalkFixture extends ExtractFixture {
  zoneId: number;
  /** Lines of all landings so far. */
  lines: string[];
  /** Walks; returns the result and the number of pages requested. */
  walk(stop?: AbortController): Promise<WalkResult & { pages: number }>;
  setNow(now: Date): void;
  /** Plays in the lines so far, and true plays: they must be equal. */
  found(): string[];
  truth(): string[];
  /** Offsets requested so far, in order. */
  offsets(): string[];
}

export async function startWalk(options: EmulatorOptions, kind: Kind = "music"): Promise<WalkFixture> {
  const fixture = await startFixture({ zones: 1, ...options });
  const { emulator, folder } = fixture;
  const [zone] = emulator.world.zones;
  if (!zone) throw new Error("The world has no zone.");
  const { zoneId } = zone;
  const lines: string[] = [];
  const pageRequests = () => emulator.requests.filter(({ path }) => path.endsWith("/history"));
  return {
    ...fixture,
    zoneId,
    lines,
    async walk(stop) {
      const before = pageRequests().length;
      const walked = await collectWalk({ kind, zoneId }, fixture.begin(stop));
      const text = readFileSync(folder.resolve(walked.landing.path), "utf8");
      lines.push(...text.split("\n").filter((line) => line !== ""));
      return { ...walked, pages: pageRequests().length - before };
    },
    setNow: (now) => emulator.setNow(now),
    found: () => readPlays(kind, lines.join("\n")).map(asText).sort(),
    truth: () => [...emulator.world.plays({ kind, visibleAt: emulator.now() })].map(asText).sort(),
    offsets: () => pageRequests().map(({ query }) => query),
  };
}

function asText({ startedAt, itemId, durationSecs, artistId }: TruePlay): string {
  return `${new Date(startedAt).toISOString()} ${itemId} ${durationSecs} ${artistId}`;
}
