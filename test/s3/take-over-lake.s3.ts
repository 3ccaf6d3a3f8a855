import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openStorage } from "../../src/storage/open-storage.ts";
import { itInAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { prepareLoader, readLakeFiles, runWell } from "../support/taken-lake.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { describeStore, newPrefix } from "./use-store.ts";

describeStore("versitygw", () => {
  itInAll("takes over a lake on S3 once all of its files are there", async () => {
    const lake = newPrefix();
    const storage = await openStorage(lake);
    const [last, ...others] = readLakeFiles().reverse();
    for (const [path, content] of others) await storage.put(path, content);
    const { environment, ...loader } = prepareLoader(createTempFolder());
    const aws = Object.entries(process.env).filter(([name]) => name.startsWith("AWS_"));
    const options = { ...loader, environment: { ...environment, ...Object.fromEntries(aws) } };
    const [path = "", content = ""] = last ?? [];
    const damaged = await runVenue(["load", "--lake", lake], options);
    expect([damaged.code, damaged.stderr]).toEqual([
      4,
      expect.stringContaining(`${lake}/${path} is missing`),
    ]);
    expect(existsSync(join(loader.dataFolder, "warehouse.duckdb"))).toBe(false);

    await storage.put(path, content);
    const { stdout } = await runWell(options, "load", "--lake", lake, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ machines: ["east", "west"], known: 0 });
    const again = JSON.parse((await runWell(options, "load", "--lake", lake, "--json")).stdout);
    expect(again).toMatchObject({ loads: 0, listings: 0 });
  });
});
