import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openWarehouse } from "../../../src/workspace/warehouse.ts";
import { placeEarlierData, placeEarlierLake } from "../../support/earlier-version.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { LakeMachine, readLake, song } from "./lake-machine.ts";

it("a lake of version 0.2.0 is read once any machine has this version, and continued", async () => {
  const commit = "86df097";
  const folder = createTempFolder();
  const lake = join(folder, "lake");
  const environment = { VENUE_HOME: join(folder, "home") };
  const { figures } = placeEarlierData({ dataFolder: folder, environment }, commit);
  placeEarlierLake(lake, commit);
  const readPlays = readLake(lake, (reader) => reader.all("select * from lake.play"));
  await expect(readPlays).rejects.toThrow(expect.objectContaining({ code: "LAKE_TOO_OLD" }));
  await (await LakeMachine.open("west", lake)).publish();
  const seen = await readLake(lake, (reader) =>
    reader.all<{ day: string; figures: string }>(
      `select kind || ' ' || zone_id || ' ' || date as day, count(*) || '/' || sum(duration_secs)::bigint as figures
      from lake.play group by kind, zone_id, date`,
    ),
  );
  expect(Object.fromEntries(seen.map(({ day, figures }) => [day, figures]))).toEqual(figures);

  const warehouse = await openWarehouse({ path: join(folder, "warehouse.duckdb"), threads: 1 });
  onTestFinished(() => warehouse.close());
  const east = LakeMachine.of("east", lake, warehouse);
  await east.add("play", song("2026-09-25 10:00:00"));
  const { manifest } = await east.publish();
  expect(manifest.software_version).toBe("1.2.3");
  await readLake(lake, (reader) => east.expectSame(reader));
});
