import { expect, it } from "vitest";
import { parseDefinition } from "../../src/mart/column-definition.ts";

it.each([
  [
    "Play time (seconds): How long it played: all of it.",
    { label: "Play time", unit: "seconds", definition: "How long it played: all of it." },
  ],
  [
    "Size (kilobits per second): So much. Note: And more. And more.",
    { label: "Size", unit: "kilobits per second", definition: "So much.", note: "And more. And more." },
  ],
  ["= dim_zone.zone_id", { like: "dim_zone.zone_id" }],
  [
    "= dim_zone.zone_id: Zone it played in. Note: Or (rarely) near.",
    { like: "dim_zone.zone_id", definition: "Zone it played in.", note: "Or (rarely) near." },
  ],
])("reads %s", (text, definition) => {
  expect(parseDefinition("plays", "x", text)).toEqual({ name: "x", ...definition });
});

it.each([
  "How long it played.",
  "Play time (years): How long.",
  "Play time (seconds): How long",
  "= dim_zone",
])("refuses %s", (text) => {
  expect(() => parseDefinition("plays", "x", text)).toThrow(/^plays\.x: "/);
});
