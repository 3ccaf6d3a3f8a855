import { gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { LandingUnreadableError } from "../../../src/load/errors.ts";
import { share } from "../../support/long-suite.ts";
import { mutate } from "../../support/mutate.ts";
import { reportTrials } from "../../support/trial-report.ts";
import { createLoadFixture } from "../load-fixture.ts";
import { Random, randomLines } from "./random-lines.ts";

const shape = { zones: 3, days: 3, badShare: 0.05, isContradictory: true };
const times = share(15, 300, 10_000);

it("a mutated archive of history lines is loaded correctly, or not at all", async () => {
  const random = new Random(20261123);
  const fixture = await createLoadFixture();
  const happened = { loaded: 0, refused: 0 };
  for (let round = 0; round < times; round += 1) {
    const lines = randomLines(random, 40, shape).map(({ text }) => `${text}\n`);
    const packed = gzipSync(lines.join(""));
    // Some end in another archive, which is part of it, or in other bytes, which are refused.
    const whole = [packed, Buffer.concat([packed, packed]), Buffer.concat([packed, Buffer.from("\0rest")])];
    const archive = random.next() < 0.3 ? random.pick(whole) : mutate(packed, random);
    // Without its first bytes, an archive is loaded as lines.
    if (archive[0] !== 0x1f || archive[1] !== 0x8b) continue;
    const held = unpack(archive);
    const before = await countPlays();
    if (held === undefined) {
      await expect(fixture.load(archive), `round ${round}`).rejects.toBeInstanceOf(LandingUnreadableError);
      expect(await countPlays()).toBe(before);
      happened.refused += 1;
      continue;
    }
    const {
      lines: counted,
      newPlays,
      changed,
      unchanged,
      duplicate,
      rejected,
      blank,
    } = await fixture.load(archive);
    expect(counted).toBe(held.toString("latin1").split(/\n(?!$)/).length);
    expect(newPlays + changed + unchanged + duplicate + rejected + blank).toBe(counted);
    expect(await countPlays()).toBe(before + newPlays);
    happened.loaded += 1;
  }
  reportTrials("mutated archives of history lines", times, happened);

  async function countPlays(): Promise<number> {
    return (await fixture.warehouse.get<{ plays: number }>("select count(*) as plays from core.play")).plays;
  }
});

/** An archive's content; undefined if it is broken or followed by other bytes. */
function unpack(archive: Buffer): Buffer | undefined {
  try {
    const { buffer, engine } = gunzipSync(archive, { info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return engine.bytesWritten === archive.length ? buffer : undefined;
  } catch {
    return undefined;
  }
}
