import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { listModels } from "../../src/mart/model.ts";
import { loadCaseListings, setZoneDays } from "../support/case-listings.ts";
import { loadDevices } from "../support/load-listing.ts";
import { itInAll, share } from "../support/long-suite.ts";
import { startReader } from "../support/start-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { PublishedWarehouse, song } from "./published-warehouse.ts";

const publishes = share(5, 5, 20);

type RowsByTable = Record<string, number>;

itInAll(
  "readers see one complete version or the other while versions are published",
  async () => {
    const published = await PublishedWarehouse.open();
    await setZoneDays(published.warehouse, [{ zoneId: 1, from: "2026-08-20", to: "2026-11-20" }]);
    const expected = new Map<string, RowsByTable>();
    const publish = async (number: number) => {
      await change(published, number);
      const version = await published.build();
      expected.set(version, await rowsByTable(published));
      await published.publish(version);
    };
    await publish(1);
    const script = fileURLToPath(new URL("read-current.child.mjs", import.meta.url));
    const reader = startReader<{ version: string; rows: RowsByTable }>(script, [published.folder]);
    // The next version is published while the reader reads one.
    const isNewest = ({ version }: { version: string }) => version === [...expected.keys()].at(-1);
    for (let number = 2; number <= publishes; number += 1) {
      await reader.untilSeen(isNewest);
      await publish(number);
    }
    await reader.untilSeen(isNewest);
    const seen = await reader.end();
    for (const { version, rows } of seen) expect([version, rows]).toEqual([version, expected.get(version)]);
    expect([...new Set(seen.map(({ version }) => version))]).toEqual([...expected.keys()]);
    const last = [...expected.values()].at(-1);
    for (const table of [
      "fact_play",
      "fact_campaign_zone_day",
      "fact_device_day",
      "dim_device",
      "fact_restatement",
    ]) {
      expect([table, last?.[table]]).not.toEqual([table, 0]);
    }
  },
  300_000,
);

/** Rows in the warehouse. */
async function rowsByTable({ warehouse }: PublishedWarehouse): Promise<RowsByTable> {
  const marts = listModels().filter(({ schema }) => schema === "mart");
  const counts = marts.map(({ name, table }) => `(select count(*) from ${name}) as ${table}`);
  return await warehouse.get<RowsByTable>(`select ${counts.join(", ")}`);
}

/** Possible results of a sync: always a play, in one of two months; now and then a listing. */
async function change(published: PublishedWarehouse, number: number): Promise<void> {
  const { warehouse } = published;
  const day = String(number).padStart(2, "0");
  await published.addPlays([song(`2026-${number % 2 ? "09" : "10"}-${day} 10:00:00`)]);
  if (number % 3 === 0) {
    const campaigns = [{ campaign_id: 5, assets: [7], status: number % 2 ? "enabled" : "disabled" }];
    await loadCaseListings(warehouse, [{ zoneId: 1, requestedAt: `2026-10-${day}T06:00:00Z`, campaigns }]);
  }
  if (number % 4 === 1) {
    const devices = Array.from({ length: Math.ceil(number / 4) }, (_, index) => ({
      zone_id: 1,
      device_id: 100 + index,
      status: (number + index) % 3 ? "online" : "offline",
      last_online_date: `2026-10-${day}T05:50:00Z`,
    }));
    const path = join(createTempFolder(), "devices.jsonl");
    writeFileSync(path, devices.map((device) => `${JSON.stringify(device)}\n`).join(""));
    await loadDevices(
      warehouse,
      { landingId: `devices-${number}`, path, groupId: 1, requestedAt: new Date(`2026-10-${day}T06:00:00Z`) },
      { serviceTimeZone: "UTC", loadedAt: new Date("2026-11-21T00:00:00Z") },
    );
  }
}
