import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openStorage } from "../../src/storage/open-storage.ts";
import { musicLine } from "../load/load-fixture.ts";
import { testKilledAndShared } from "../publish/lake/killed-and-shared-suite.ts";
import { LakeMachine } from "../publish/lake/lake-machine.ts";
import { testStoredLake } from "../publish/lake/stored-lake-suite.ts";
import { share } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { abandonUpload, age, describeStore, newPrefix } from "./use-store.ts";

describeStore("versitygw", () => {
  testStoredLake(newPrefix);
  testKilledAndShared({
    createLake: newPrefix,
    listOthers: async (lake) => {
      const keys: string[] = [];
      for await (const { key } of (await openStorage(lake)).list("")) keys.push(key);
      return keys.filter((key) => !/^(core\/|machines\/east\.json$|probe-)/.test(key));
    },
    kills: share(2, 10, 30),
    machines: ["east", "west"],
    publishes: share(20, 200, 200),
  });

  it("a lake's abandoned uploads are aborted after a day", async () => {
    const lake = newPrefix();
    const east = await LakeMachine.open("east", lake);
    const key = (machine: string) =>
      `core/play/machine=${machine}/month=2026-10/0123456789abcdef/data.parquet`;
    for (const machine of ["east", "west"]) await abandonUpload(lake, key(machine));
    const listUploads = async () => {
      const keys: string[] = [];
      for await (const upload of (await openStorage(lake)).listUploads()) keys.push(upload.key);
      return keys;
    };
    await east.publish();
    expect(await listUploads()).toEqual([key("east"), key("west")]);
    age("", "uploads", 25);
    await east.publish();
    expect(await listUploads()).toEqual([key("west")]);
  });

  it("two machines publish into a lake on S3, and a third builds from it", async () => {
    const workingFolder = createTempFolder();
    const lake = newPrefix();
    const aws = Object.entries(process.env).filter(([name]) => name.startsWith("AWS_"));
    const run = async (data: string, ...args: string[]) => {
      const environment = { ...Object.fromEntries(aws), VENUE_DATA_DIR: data, VENUE_THREADS: "1" };
      const { code, stdout, stderr } = await runVenue(args, { environment, workingFolder });
      expect([code, stderr]).toEqual([0, expect.not.stringContaining("secret-of-the-tests")]);
      return stdout;
    };
    for (const [machine, song] of [
      ["east", 301],
      ["west", 302],
    ] as const) {
      writeFileSync(join(workingFolder, `${machine}.jsonl`), `${musicLine({ song_id: song })}\n`);
      await run(machine, "load", `${machine}.jsonl`, "--kind", "music");
      await run(machine, "publish", "--layer", "core", "--source", machine, "--to", lake);
    }
    await run("all", "build", "--lake", lake);
    const period = ["--from", "2026-03-10", "--to", "2026-03-10"];
    const report = await run("all", "report", "plays", ...period, "--format", "json");
    expect(JSON.parse(report)).toMatchObject([{ plays: 2 }]);
    expect(await run("all", "lake", "status", "--lake", lake)).toMatch(/east .*\n.*west /);
    expect(await run("all", "lake", "forget", "west", "--lake", lake)).toContain(
      `${lake} no longer has west`,
    );
    await run("all", "build", "--lake", lake);
    const [after] = JSON.parse(await run("all", "report", "plays", ...period, "--format", "json"));
    expect(after).toMatchObject({ plays: 1 });
  });
});
