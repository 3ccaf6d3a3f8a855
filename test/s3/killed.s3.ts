import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, it } from "vitest";
import { readBackupManifest } from "../../src/backup/backup-manifest.ts";
import { openStorage } from "../../src/storage/open-storage.ts";
import { musicLine } from "../load/load-fixture.ts";
import { readShown } from "../publish/publish-suite.ts";
import { PublishedWarehouse, song } from "../publish/published-warehouse.ts";
import { share } from "../support/long-suite.ts";
import { startVenue } from "../support/run-venue.ts";
import { startReader } from "../support/start-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { startFaultyProxy } from "./faulty-proxy.ts";
import { describeStore, newPrefix } from "./use-store.ts";

const python = inject("readers");

describeStore("versitygw", (endpoint) => {
  /** Returns a function that runs the program on a data folder, and kills it before its nth write, if any. */
  async function prepareKills(dataFolder: string) {
    let writes = 0;
    let killAt = Number.POSITIVE_INFINITY;
    let kill = () => {};
    const proxy = await startFaultyProxy(endpoint, (method) => {
      if (method === "GET" || method === "HEAD") return undefined;
      writes += 1;
      if (writes < killAt) return undefined;
      kill();
      return "unsent";
    });
    const aws = Object.entries(process.env).filter(([name]) => name.startsWith("AWS_"));
    const environment = {
      ...Object.fromEntries(aws),
      ...{ AWS_ENDPOINT_URL_S3: proxy, VENUE_DATA_DIR: dataFolder, VENUE_HOME: join(dataFolder, "home") },
      VENUE_THREADS: "1",
    };
    return async (words: readonly string[], nth = Number.POSITIVE_INFINITY) => {
      [writes, killAt] = [0, nth];
      const { child, finished } = startVenue(words, { environment, workingFolder: dataFolder });
      kill = () => child.kill("SIGKILL");
      const { code, signal, stderr } = await finished;
      if (signal === null) expect(code, stderr).toBe(0);
      return signal;
    };
  }

  it("a publish killed before each of its writes is repeated, and readers see one version or the other", async () => {
    const published = await PublishedWarehouse.open();
    await published.addPlays([song("2026-10-05 10:00:00"), song("2026-09-05 10:00:00")]);
    await published.buildAndPublish();
    const run = await prepareKills(dirname(published.folder));
    const target = newPrefix();
    const publish = ["publish", "--to", target];
    await run(publish);
    const reader =
      python === undefined
        ? undefined
        : startReader<Record<string, [version: string, plays: number]>>(
            fileURLToPath(new URL("read_again.py", import.meta.url)),
            [target, endpoint],
            { program: python, environment: { AWS_ENDPOINT_URL: endpoint, AWS_ALLOW_HTTP: "true" } },
          );
    await reader?.untilSeen(() => true);
    await published.addPlays([song("2026-10-06 10:00:00")]);
    await published.buildAndPublish();
    // The program looks up in it whether it published what readers see.
    published.warehouse.close();

    const storage = await openStorage(target);
    const stride = share(8, 1, 1);
    let kills = 0;
    // Before and after readers see the new version.
    for (const version of ["v000001", "v000002"]) {
      for (let nth = 1; (await readShown(storage)).version === version; nth += stride) {
        if ((await run(publish, nth)) !== "SIGKILL") break;
        kills += 1;
        expect(["v000001", "v000002"]).toContain((await readShown(storage)).version);
      }
    }
    await run(publish);
    expect(kills).toBeGreaterThan(stride === 1 ? 10 : 1);
    const { version, rows } = await readShown(storage);
    expect([version, rows.fact_play]).toEqual(["v000002", 3]);
    await reader?.untilSeen(({ polars, duckdb }) => polars?.[1] === 3 && duckdb?.[1] === 3);
    for (const seen of (await reader?.end()) ?? [])
      for (const found of Object.values(seen))
        expect([
          ["v000001", 2],
          ["v000002", 3],
        ]).toContainEqual(found);
  }, 300_000);

  it("a backup killed before each of its writes is repeated, and has nothing but its files", async () => {
    const dataFolder = createTempFolder();
    const run = await prepareKills(dataFolder);
    const file = join(dataFolder, "plays.jsonl");
    writeFileSync(file, `${musicLine({ song_id: 301 })}\n`);
    await run(["load", file, "--kind", "music"]);
    const to = newPrefix();
    const storage = await openStorage(to);
    const stride = share(4, 1, 1);
    let kills = 0;
    while (!(await storage.findInfo("backup.json"))) {
      if ((await run(["backup", "--to", to], 1 + kills * stride)) !== "SIGKILL") break;
      kills += 1;
    }
    expect(kills * stride).toBeGreaterThan(6);
    const manifest = await readBackupManifest(storage);
    const keys: string[] = [];
    for await (const { key } of storage.list(""))
      if (!/^probe-|^backup\.unfinished$/.test(key)) keys.push(key);
    expect(keys).toEqual(["backup.json", ...manifest.files.map(({ path }) => path).sort()]);
  }, 300_000);
});
