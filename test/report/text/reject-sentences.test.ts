import { describe, expect, it } from "vitest";
import { rejectReasons } from "../../../src/load/history/judge-lines.ts";
import { rejectSentences } from "../../../src/report/text/titles.ts";
import { readSql } from "../../../src/util/files/package-files.ts";

const reasons = rejectReasons.toSorted();

describe("each reject reason", () => {
  it("has a sentence on the rejects page", () => {
    expect(Object.keys(rejectSentences).toSorted()).toEqual(reasons);
  });

  it("is listed in the header of fact_reject", () => {
    const [, note = ""] = /Note: ([\s\S]*?)\.\n/.exec(readSql("models/mart/fact_reject.sql")) ?? [];
    expect((note.match(/[a-z]\w*_\w+/g) ?? []).toSorted()).toEqual(reasons);
  });
});
