import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { declareTables } from "../../../src/load/declare-tables.ts";
import { maxLineBytes } from "../../../src/load/lines/line-cursor.ts";
import { type ListingLanding, readListings } from "../../../src/load/listing/read-listings.ts";
import { createLoadFixture, type LoadFixture } from "../load-fixture.ts";

const loadedAt = new Date("2026-03-11");

function land({ folder }: LoadFixture, lines: readonly (string | Buffer)[]): ListingLanding {
  const path = join(folder, "assets.jsonl");
  writeFileSync(path, Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from("\n")])));
  const listing = { source: "assets", kind: "signage", groupId: 1, landingId: "1", path } as const;
  return { ...listing, requestedAt: new Date("2026-03-10") };
}

it("lines that are not UTF-8, not an object or overlong count as unreadable; the others keep their positions", async () => {
  const fixture = await createLoadFixture();
  const { warehouse } = fixture;
  await declareTables(warehouse, "listing");
  const record = (name: string) => `{"asset_id":1,"name":"${name}"}`;
  const longest = record("x".repeat(maxLineBytes - record("").length));
  const landing = land(fixture, [
    record("ü"),
    Buffer.from(record("ü"), "latin1"),
    "",
    "[1]",
    longest,
    record("x".repeat(maxLineBytes)),
    `  ${record("last")}`,
  ]);
  const found = await readListings(warehouse, [landing], { loadedAt });
  expect(found).toMatchObject({ read: [landing] });
  expect(await warehouse.all("select unreadable_lines from temp.listing")).toEqual([{ unreadable_lines: 3 }]);
  const read = await warehouse.all<{ line: number; record: string }>(
    "select line, record from temp.listing_record order by line",
  );
  expect(read.map(({ line }) => line)).toEqual([1, 5, 7]);
  expect(read.map((row) => row.record)).toEqual([record("ü"), longest, `  ${record("last")}`]);
  expect(found.characters).toBe(read.reduce((sum, row) => sum + row.record.length, 0));
});

it("an error of the warehouse is not blamed on a landing", async () => {
  const fixture = await createLoadFixture();
  const { warehouse } = fixture;
  await declareTables(warehouse, "listing");
  await warehouse.run("drop table temp.listing_record");
  const lines = Array.from({ length: 3000 }, (_, id) => `{"asset_id":${id}}`);
  const reading = readListings(warehouse, [land(fixture, lines)], { loadedAt });
  await expect(reading).rejects.toThrow("listing_record");
});
