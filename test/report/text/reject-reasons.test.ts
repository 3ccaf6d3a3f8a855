import { expect, it } from "vitest";
import { rejectReasons } from "../../../src/report/text/reject-reasons.ts";
import { readSql } from "../../../src/util/files/sql-file.ts";

it("says of each reason that is kept what is wrong", () => {
  const [, note = ""] = /Note: ([\s\S]*?)\.\n/.exec(readSql("models/mart/fact_reject.sql")) ?? [];
  const kept = note.match(/[a-z]\w*_\w+/g) ?? [];
  expect(kept).toContain("invalid_json");
  expect(Object.keys(rejectReasons).toSorted()).toEqual(kept.toSorted());
});
