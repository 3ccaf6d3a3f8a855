import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { Settings } from "../../../src/config/settings.ts";
import { openSources } from "../../../src/serve/versions/open-sources.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

it("all versions and shares use one memory limit, and see only their own rows", async () => {
  const workingFolder = createTempFolder();
  for (const [version, name] of [
    ["v000001", "Old"],
    ["v000002", "New"],
  ] as const)
    await publishFixture(join(workingFolder, "published"), {
      ...{ version, dataAsOf: "2026-11-21T04:10:00.000Z" },
      rows: { dim_zone: [{ zone_id: 1, zone_name: name }] },
    });
  const environment = {
    VENUE_DATA_DIR: workingFolder,
    VENUE_THREADS: "1",
    VENUE_MEMORY_LIMIT: "50MiB",
  };
  const sources = await openSources(new Settings({ flags: {}, environment, workingFolder }), {
    ...{ debug() {}, info() {}, warn() {} },
  });
  onTestFinished(() => sources.close());
  const opened = await Promise.all([
    sources.source.open("v000001", 2),
    sources.source.open("v000002", 1),
    sources.ofShare?.({ campaigns: [1], attributes: [] }).open("v000002", 1),
  ]);
  const [old, current, share] = opened.map((version) => version?.marts.map((martFor) => martFor(undefined)));
  const zones = "select zone_name from dim_zone";
  expect(await old?.[0]?.all(zones)).toEqual([{ zone_name: "Old" }]);
  expect(await old?.[1]?.all(`${zones} where true`)).toEqual([{ zone_name: "Old" }]);
  expect(await current?.[0]?.all(zones)).toEqual([{ zone_name: "New" }]);
  expect(await share?.[0]?.all(zones)).toEqual([]);
  await old?.[0]?.all("create table large as select range as number from range(3000000)");
  const used = async () => {
    // Unlike the rows of `all`, those of a stream are not cached.
    const stream = await share?.[0]?.stream(
      `select cast(sum(memory_usage_bytes) as bigint), current_setting('memory_limit')
      from duckdb_memory() where tag = 'IN_MEMORY_TABLE'`,
    );
    for await (const [bytes, most] of stream?.rows ?? []) return { bytes, most };
    throw new Error("no row");
  };
  expect(await used()).toEqual({ bytes: expect.any(Number), most: "50.0 MiB" });
  expect((await used()).bytes).toBeGreaterThan(1_000_000);
  await expect(share?.[0]?.all("select * from read_csv('/etc/hostname')")).rejects.toThrow(
    "disabled by configuration",
  );
  // Closing a version releases its resources.
  opened[0]?.close();
  await vi.waitFor(async () => expect((await used()).bytes).toBeLessThan(1_000_000));
  expect(await current?.[0]?.all(zones)).toEqual([{ zone_name: "New" }]);
});
