import fc from "fast-check";
import { expect, it } from "vitest";
import { instant, serviceUrl } from "../../src/config/parsers.ts";
import { ConfigError, Settings } from "../../src/config/settings.ts";
import { variableNames } from "../../src/config/variables.ts";
import { share } from "../support/long-suite.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it.each([["2026-02-30T00:00:00Z"], ["2026-11-31T06:00:00+01:00"]])(
  "rejects an instant on a nonexistent day: %s",
  (text) => {
    expect(instant.parse(text)).toBeUndefined();
  },
);

it("any text in any variable gives a value or one error naming the variable", () => {
  const workingFolder = createTempFolder();
  const near = fc.stringMatching(/^[0-9a-zA-Z._:/@?#%+,' -]{0,40}$/);
  fc.assert(
    fc.property(
      fc.constantFrom(...variableNames),
      fc.oneof(fc.string({ unit: "binary" }), near),
      (name, text) => {
        const read = () =>
          new Settings({ flags: {}, environment: { [name]: text }, workingFolder }).find(name);
        try {
          read();
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          expect(error).toMatchObject({ variable: name, message: expect.stringContaining(name) });
        }
      },
    ),
    { numRuns: share(500, 3000, 3000), seed: 20261122 },
  );
});

it.each([
  ["https://player.example.com/v5", "https://player.example.com/v5"],
  ["https://player.example.com/v5/", "https://player.example.com/v5"],
  ["https://player.example.com/v5//", "https://player.example.com/v5"],
  ["https://player.example.com", "https://player.example.com/"],
  ["https://player.example.com/", "https://player.example.com/"],
])("identifies %s as one service, with or without a trailing slash", (text, address) => {
  expect(serviceUrl.parse(text)?.href).toBe(address);
});
