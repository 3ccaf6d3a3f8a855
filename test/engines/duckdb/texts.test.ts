import { expect, it, onTestFinished } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";

it("reads long texts that begin with a byte order mark unchanged, in rows and in lists", async () => {
  const database = await DuckDb.open({ threads: 1 });
  onTestFinished(() => database.close());
  const [short, long] = ["\ufeffBar", `\ufeff{"zone_id":1,"song_name":"\ufeffSo long"}`];
  const select = "select cast(? as varchar) as short, cast(? as varchar) as long, ['\ufeffBar'] as list";
  expect(await database.get(select, [short, long])).toEqual({ short, long, list: [short] });
  const { rows } = await database.stream(select, [short, long]);
  for await (const row of rows) expect(row).toEqual([short, long, [short]]);
});
