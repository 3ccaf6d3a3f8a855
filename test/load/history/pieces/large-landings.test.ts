import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { describe, expect, it } from "vitest";
import { itInAll } from "../../../support/long-suite.ts";
import { startVenue } from "../../../support/run-venue.ts";
import { createTempFolder } from "../../../support/temp-folder.ts";
import { createLoadFixture, musicLine } from "../../load-fixture.ts";

describe("an overlong line", () => {
  const someLines = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      musicLine({ song_id: index, song_name: `Song ${index * 7919}` }),
    );
  const lines = someLines(3000);
  /** With another line's names: of several names for one item, DuckDB shows JavaScript only one. */
  const long = musicLine({
    song_id: 0,
    song_name: "Song 0",
    play_start: "2026-03-10T13:00:00+01:00",
    comment: "x".repeat(2 * 1024 * 1024),
  });

  it.each([
    ["when most is new", (): string[] => someLines(25_000).slice(3000)],
    ["when little is new", (): string[] => [musicLine({ zone_id: 8 })]],
  ])("is rejected again when its piece is known, %s", async (_label, added) => {
    const { load, warehouse } = await createLoadFixture();
    expect(await load([...lines, long])).toMatchObject({ newPlays: 3000, rejected: 1 });
    const more = added();
    expect(await load([...lines, long, ...more])).toMatchObject({ newPlays: more.length, rejected: 1 });
    expect(await warehouse.all("select line_number, reason from core.reject order by load_id")).toEqual([
      { line_number: 3001, reason: "line_too_long" },
      { line_number: 3001, reason: "line_too_long" },
    ]);
  });

  it("is rejected again when its piece must be read again", async () => {
    const { load } = await createLoadFixture();
    await load([...lines, long]);
    const longer = lines
      .slice(2990, 2991)
      .map((line) => line.replace('"duration_secs":200', '"duration_secs":300'));
    const counts = { changed: 1, unchanged: 2999, duplicate: 1, rejected: 1 };
    expect(await load([...lines, long, ...longer])).toMatchObject(counts);
  });
});

describe("a file read by two threads", () => {
  const lineCount = 600_000;

  /** About 140 MB. */
  async function* manyLines(from: number): AsyncGenerator<string> {
    for (let first = from; first < lineCount; first += 1000) {
      yield Array.from({ length: 1000 }, (_, index) => {
        const second = first + index;
        const playedAt = new Date(Date.UTC(2026, 0, 1) + second * 10_000).toISOString();
        return `${musicLine({ zone_id: second % 50, song_id: second % 977, play_start: playedAt.replace(".000Z", "+00:00") })}\n`;
      }).join("");
    }
  }

  itInAll("is known the second time, plain or gzipped, and after it grew", async () => {
    const folder = createTempFolder();
    const [plain, packed] = [join(folder, "history.jsonl"), join(folder, "history.jsonl.gz")];
    await pipeline(Readable.from(manyLines(1000)), createWriteStream(plain));
    await pipeline(Readable.from(manyLines(0)), createGzip({ level: 1 }), createWriteStream(packed));
    const load = async (path: string) => {
      const args = ["load", path, "--kind", "music", "--json", "--data-dir", join(folder, "data")];
      const { code, stdout, stderr } = await startVenue(args, { environment: {}, workingFolder: folder })
        .finished;
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    };
    const count = 599_000;
    expect(await load(plain)).toMatchObject({ loads: [{ lines: count, new_plays: count }] });
    expect(await load(plain)).toMatchObject({ loads: [{ lines: count, unchanged: count }] });
    const grown = { lines: lineCount, new_plays: 1000, unchanged: count };
    expect(await load(packed)).toMatchObject({ loads: [grown] });
  });
});
