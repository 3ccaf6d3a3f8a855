import { expect, it } from "vitest";
import { translateDamage } from "../../../src/report/published/complete-version.ts";

it.each([
  "Invalid Error: Out of buffer",
  "Invalid Error: Payload value bigger than allowed. Corrupted file?",
  "Invalid Input Error: Varint-decoding found too large number",
  "Invalid Input Error: DELTA_BYTE_ARRAY - prefix is out of range - corrupt file?",
])("calls damage what a changed byte of a Parquet file ends in: %s", (message) => {
  expect(translateDamage(new Error(message))).toMatchObject({ code: "PUBLISHED_DAMAGED" });
});

it("leaves other errors of DuckDB as they are", () => {
  const error = new Error("Binder Error: no such column");
  expect(translateDamage(error)).toBe(error);
});
