import { expect, it } from "vitest";
import { translateDamage } from "../../../src/report/published/complete-version.ts";

it.each([
  "Invalid Error: Out of buffer",
  "Invalid Error: Payload value bigger than allowed. Corrupted file?",
  "Invalid Input Error: Varint-decoding found too large number",
  "Invalid Input Error: DELTA_BYTE_ARRAY - prefix is out of range - corrupt file?",
])("reports errors of a changed byte in a Parquet file as damage: %s", (message) => {
  expect(translateDamage(new Error(message))).toMatchObject({ code: "PUBLISHED_DAMAGED" });
});

it("passes other DuckDB errors unchanged", () => {
  const error = new Error("Binder Error: no such column");
  expect(translateDamage(error)).toBe(error);
});
