import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { declareLoad } from "../../../../src/load/history/ledger.ts";
import {
  type HistoryLanding,
  type OpenLanding,
  openLandings,
} from "../../../../src/load/history/open-landing.ts";
import type { LoadFixture } from "../../load-fixture.ts";

let files = 0;

/** Writes landings and declares a load of them, up to the point where pieces are taken. */
export async function declareLandings(
  { warehouse, folder }: LoadFixture,
  contents: readonly [string | Buffer, ...(string | Buffer)[]],
  overrides: (index: number) => Partial<HistoryLanding> = () => ({}),
): Promise<[OpenLanding, ...OpenLanding[]]> {
  const landings = contents.map((content, index): HistoryLanding => {
    files += 1;
    const path = join(folder, `taken-${files}.jsonl${typeof content === "string" ? "" : ".gz"}`);
    writeFileSync(path, content);
    const requestedAt = new Date("2026-06-01T00:00:00Z");
    const landing = {
      landingId: path,
      path,
      kind: "music",
      source: "file",
      requestedAt,
      isComplete: false,
    } as const;
    return { ...landing, ...overrides(index) };
  });
  const open = (await openLandings(warehouse, landings)) as [OpenLanding, ...OpenLanding[]];
  await declareLoad(warehouse, open, new Date("2026-06-02T00:00:00Z"));
  return open;
}
