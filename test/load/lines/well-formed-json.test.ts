import { assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { wellFormedJson } from "../../../src/load/lines/json-object.ts";

describe("wellFormedJson", () => {
  it.each([
    ["a lone high surrogate", '"a\\ud83cb"', "a\ufffdb"],
    ["a lone low surrogate", '"a\\uDFB5b"', "a\ufffdb"],
    ["surrogates in the wrong order", '"\\uDFB5\\uD83C"', "\ufffd\ufffd"],
    ["a lone surrogate before a pair", '"\\ud83c\\ud83c\\udfb5"', "\ufffd🎵"],
    ["a surrogate pair", '"\\uD83C\\uDFB5"', "🎵"],
    ["the ends of both ranges", '"\\ud800\\udc00\\udbff\\udfff"', "\u{10000}\u{10ffff}"],
    ["the neighbours of surrogates", '"\\ud7ff\\ue000"', "\ud7ff\ue000"],
    ["a backslash before an apparent escape", '"\\\\ud83c"', "\\ud83c"],
    ["a backslash, then a lone surrogate", '"\\\\\\ud83c"', "\\\ufffd"],
    ["no escape", '"ud83c"', "ud83c"],
  ])("%s", (_, json, text) => {
    expect(JSON.parse(wellFormedJson(json))).toBe(text);
  });

  it("matches the UTF-8 of any escaped text", () => {
    assert(
      property(string({ unit: "binary" }), string({ unit: "binary" }), (before, after) => {
        const text = `${before}${after.slice(1)}`;
        const units = text.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
        const escaped = `"${units.map((unit) => `\\u${unit}`).join("")}"`;
        expect(JSON.parse(wellFormedJson(escaped))).toBe(Buffer.from(text).toString());
      }),
    );
  });
});
