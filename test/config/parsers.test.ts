import fc from "fast-check";
import { expect, it } from "vitest";
import { ids, instant, rate, serviceUrl, share, wholeNumber } from "../../src/config/parsers.ts";
import { ConfigError, Settings } from "../../src/config/settings.ts";
import { variableNames } from "../../src/config/variables.ts";
import { largestId } from "../../src/util/kind.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const runs = { numRuns: 500, seed: 20261122 };

it("ids give back what they were written from, without repeats, whatever blanks stand between", () => {
  const id = fc.integer({ min: 0, max: largestId });
  const blank = fc.constantFrom("", " ", "  ");
  fc.assert(
    fc.property(fc.array(fc.tuple(id, blank), { minLength: 1 }), (list) => {
      const text = list.map(([one, space]) => `${space}${one}${space}`).join(",");
      expect(ids.parse(text)).toEqual([...new Set(list.map(([one]) => one))]);
    }),
    runs,
  );
});

it("an instant is the same whatever offset it is written with", () => {
  const at = fc.integer({ min: Date.UTC(2000, 0, 2), max: Date.UTC(2099, 0, 1) });
  fc.assert(
    fc.property(at, fc.integer({ min: -14 * 60, max: 14 * 60 }), (ms, offset) => {
      const local = new Date(ms + offset * 60_000).toISOString().slice(0, -1);
      const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
      const written = `${local}${offset < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
      expect(instant.parse(written)?.getTime()).toBe(ms);
    }),
    runs,
  );
});

it.each([["2026-02-30T00:00:00Z"], ["2026-11-31T06:00:00+01:00"]])(
  "an instant of a day that does not exist is none: %s",
  (text) => {
    expect(instant.parse(text)).toBeUndefined();
  },
);

it("any text is taken as what it says, or not at all", () => {
  const parsers = [ids, instant, rate, share, serviceUrl, wholeNumber(1, 100)];
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[0-9eE.+,: TZ-]{0,30}$/)),
      (text) => {
        for (const { parse } of parsers) {
          const values = [parse(text)].flat().filter((value) => value !== undefined);
          expect(values.filter((value) => typeof value === "number" && !Number.isFinite(value))).toEqual([]);
          expect(values.filter((value) => value instanceof Date && Number.isNaN(value.getTime()))).toEqual(
            [],
          );
        }
      },
    ),
    runs,
  );
});

it("any text in any variable is a value, or one error that names the variable", () => {
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
    { ...runs, numRuns: 3000 },
  );
});

it.each([
  ["https://player.example.com/v5", "https://player.example.com/v5"],
  ["https://player.example.com/v5/", "https://player.example.com/v5"],
  ["https://player.example.com/v5//", "https://player.example.com/v5"],
  ["https://player.example.com", "https://player.example.com/"],
  ["https://player.example.com/", "https://player.example.com/"],
])("takes %s for one service, however its address ends", (text, address) => {
  expect(serviceUrl.parse(text)?.href).toBe(address);
});
