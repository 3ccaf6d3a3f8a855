import { join } from "node:path";
import { expect, it } from "vitest";
import { openSqlite } from "../../src/state/sqlite.ts";
import { readSql } from "../../src/util/files/package-files.ts";
import { runVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";

it("recognises a service address with a trailing slash, also as an earlier version stored it", async () => {
  const setup = await setUp({ days: 5, zones: 2, playScale: 0.2 });
  const venue = async (...words: string[]) => {
    const { code, stdout, stderr } = await runVenue(words, setup);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  await venue("sync", "--mode", "walk");
  const plan = await venue("plan", "--mode", "walk");

  setup.environment.VENUE_BASE_URL += "/";
  setup.environment.VENUE_STATUS_URL += "/";
  expect(await venue("plan", "--mode", "walk")).toBe(plan);

  const database = openSqlite(join(setup.dataFolder, "state.db"), "state/data");
  for (const table of ["collection", "export_job", "group_zone", "gone_zone", "walk", "refused_listing"])
    database.run(`update ${table} set service = service || '/'`);
  database.script(readSql("state/data/0010_service_addresses.sql"));
  database.close();
  expect(await venue("plan", "--mode", "walk")).toBe(plan);
});
