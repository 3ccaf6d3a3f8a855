import { assert, dictionary, jsonValue, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { readJsonObject } from "../../../src/load/lines/json-object.ts";

const membersOf = (text: string) => {
  const members = readJsonObject(text);
  return typeof members === "string" ? members : Object.fromEntries(members);
};

describe("an object's members are returned as written", () => {
  it.each([
    ["{}", {}],
    [" \t{ \r} \n", {}],
    ['{"a":1}', { a: "1" }],
    ['{ "a" : 1 , "b" : "x" }', { a: "1", b: '"x"' }],
    ['{"a":1,"a":2}', { a: "1" }],
    ['{"\\u0061":1,"a":2}', { a: "1" }],
    ['{"a":"\\"}\\\\"}', { a: '"\\"}\\\\"' }],
    ['{"a":"\\/\\b\\f\\n\\r\\t\\u00e9"}', { a: '"\\/\\b\\f\\n\\r\\t\\u00e9"' }],
    ['{"a":""}', { a: '""' }],
    ['{"":0}', { "": "0" }],
    ['{"a":-0.5e+10,"b":0,"c":10E-2}', { a: "-0.5e+10", b: "0", c: "10E-2" }],
    ['{"a":true,"b":false,"c":null}', { a: "true", b: "false", c: "null" }],
    ['{"a":[],"b":{}}', { a: "[]", b: "{}" }],
    ['{"a": [1, {"b" : [ ]}, "]"] , "c":2}', { a: '[1, {"b" : [ ]}, "]"]', c: "2" }],
    ['{"a":{"b":{"c":[[[]]]}},"d":1}', { a: '{"b":{"c":[[[]]]}}', d: "1" }],
    // DuckDB's behaviour.
    ['{"a":1,}', { a: "1" }],
    ['{"a":[1,],"b":{"c":2,}}', { a: "[1,]", b: '{"c":2,}' }],
    ['{"a":NaN,"b":-Infinity,"c":inf,"d":-nan}', { a: "NaN", b: "-Infinity", c: "inf", d: "-nan" }],
  ])("%j", (text, members) => {
    expect(membersOf(text)).toStrictEqual(members);
  });

  it("at any depth", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(membersOf(`{"a":${deep},"b":1}`)).toStrictEqual({ a: deep, b: "1" });
  });

  it("of any object, like JSON.parse", () => {
    assert(
      property(dictionary(string(), jsonValue()), (object) => {
        for (const text of [JSON.stringify(object), JSON.stringify(object, undefined, "\t")]) {
          const members = readJsonObject(text) as Map<string, string>;
          const read = [...members].map(([key, json]) => [key, JSON.parse(json)]);
          expect(read).toStrictEqual(Object.entries(JSON.parse(text)));
        }
      }),
    );
  });
});

it.each(["[]", " [1, 2] ", '"{}"', "1", "null", "true", "NaN", "[{}]"])("%j is not an object", (text) => {
  expect(readJsonObject(text)).toBe("not_an_object");
});

it.each([
  "",
  " ",
  "{",
  "}",
  "{} {}",
  "{}x",
  "[] 1",
  '{"a"}',
  '{"a" 1}',
  '{"a":}',
  '{"a":1',
  '{"a":1 "b":2}',
  '{"a":[1 2]}',
  '{"a":{"b":1 "c":2}}',
  '{"a":{"b" 1}}',
  '{"a":{1:2}}',
  '{"a":[1}',
  '{"a":{"b":1]}',
  '{"a":[',
  "{a:1}",
  "{'a':1}",
  "{1:2}",
  '{,"a":1}',
  '{"a":1,,"b":2}',
  '{"a":01}',
  '{"a":1.}',
  '{"a":.5}',
  '{"a":+1}',
  '{"a":1e}',
  '{"a":0x10}',
  '{"a":truex}',
  '{"a":nul}',
  '{"a":infinit}',
  '{"a":"\n"}',
  '{"a":"\\x41"}',
  '{"a":"\\u12g4"}',
  '{"a":"x}',
  "\ufeff{}",
  "\u00a0{}",
])("%j is not JSON", (text) => {
  expect(readJsonObject(text)).toBe("invalid_json");
});
