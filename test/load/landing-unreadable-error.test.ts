import { expect, it } from "vitest";
import { LandingUnreadableError } from "../../src/load/errors.ts";

it("an unreadable landing: which one, why, and the next step; the cause is kept", () => {
  const cause = new Error("unexpected end of file");
  const error = new LandingUnreadableError("/data/landing/1.jsonl.gz", { cause });
  expect(error.message).toMatchInlineSnapshot(
    `"/data/landing/1.jsonl.gz can't be read: unexpected end of file. None of it was loaded. Repair or download it again, then load it again."`,
  );
  expect(error).toMatchObject({ category: "usage", path: "/data/landing/1.jsonl.gz", cause });
});

it("an unreadable landing may have another next step", () => {
  const advice = "Load it again once nothing writes to it.";
  const error = new LandingUnreadableError("Standard input", { cause: "it changed", advice });
  expect(error.message).toMatchInlineSnapshot(
    `"Standard input can't be read: it changed. None of it was loaded. Load it again once nothing writes to it."`,
  );
});
