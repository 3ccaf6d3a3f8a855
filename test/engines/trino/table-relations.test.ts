import { expect, it } from "vitest";
import { replaceTables } from "../../../src/engines/trino/table-names.ts";

const relations = {
  zone: "c.m.zone for version as of 5",
  play: "c.m.play",
  "staging.day": "c.s.day for version as of 6",
};
const zone = '"zone" as (select * from c.m.zone for version as of 5)';
const play = '"play" as (select * from c.m.play)';

it.each([
  ["a table", "select * from zone as z", `with ${zone} select * from zone as z`],
  [
    "two",
    "select 1 from zone join PLAY on true",
    `with ${zone}, ${play} select 1 from zone join PLAY on true`,
  ],
  ["in a schema", "select d.x from staging.day as d", "select d.x from c.s.day for version as of 6 as d"],
  ["in quotes", 'select * from "staging"."day"', "select * from c.s.day for version as of 6"],
  ["in a schema, with blanks", "from STAGING . Day", "from c.s.day for version as of 6"],
  [
    "in a schema, in another statement",
    "insert into zone select * from staging.day -- staging.day's",
    "insert into zone select * from c.s.day for version as of 6 -- staging.day's",
  ],
  [
    "in a schema, in a string",
    "select 'staging.day', 'it''s staging.day'",
    "select 'staging.day', 'it''s staging.day'",
  ],
  ["an already qualified name", "from other.staging.day", "from other.staging.day"],
  ["named like a property of every object", "from constructor.x", "from constructor.x"],
  ["in another schema", "select * from other.zone", "select * from other.zone"],
  [
    "next to common table expressions",
    "with a as (select 1) select * from zone",
    `with ${zone}, a as (select 1) select * from zone`,
  ],
  [
    "next to recursive ones",
    "WITH RECURSIVE a(x) as (select 1) select * from zone",
    `WITH RECURSIVE ${zone}, a(x) as (select 1) select * from zone`,
  ],
  [
    "after comments",
    "-- with zone\n/* select */ select * from zone",
    `-- with zone\n/* select */ with ${zone} select * from zone`,
  ],
  ["in a string", "select 'zone' -- zone", "select 'zone' -- zone"],
  ["in brackets", "(select * from zone)", `with ${zone} (select * from zone)`],
  ["in another statement", "insert into zone select 1", "insert into zone select 1"],
  [
    "with named columns",
    "select zone.id, staging.day.x from zone",
    `with ${zone} select zone.id, staging.day.x from zone`,
  ],
])("replaces tables: %s", (_label, sql, replaced) => {
  expect(replaceTables(sql, relations)).toBe(replaced);
});
