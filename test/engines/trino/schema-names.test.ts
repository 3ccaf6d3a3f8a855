import { expect, it } from "vitest";
import { renameSchemas } from "../../../src/engines/trino/table-names.ts";

const schemas = { lake: "venue_core.lake", mart: "Venue-Mart.mart" };

it.each([
  ["a table", "select * from lake.play", "select * from venue_core.lake.play"],
  ["a column of a table", "select lake.play.kind", "select venue_core.lake.play.kind"],
  ["in capitals", "select * from LAKE.Play", "select * from venue_core.lake.Play"],
  ["in quotes", 'select * from "lake"."play"', 'select * from venue_core.lake."play"'],
  ["with blanks", "from lake . play", "from venue_core.lake . play"],
  ["a name that needs quotes", "from mart.x", 'from "Venue-Mart".mart.x'],
  ["an already qualified name", "from other.lake.play", "from other.lake.play"],
  ["after a dot and blanks", "from other. lake.play", "from other. lake.play"],
  ["as the end of a longer name", "from salt_lake.play", "from salt_lake.play"],
  ["as the start of a longer name", "from lakes.play", "from lakes.play"],
  ["without a table", "select lake from t", "select lake from t"],
  ["in a string", "select 'lake.play', 'it''s lake.play'", "select 'lake.play', 'it''s lake.play'"],
  [
    "in a comment",
    "select 1 -- lake.play's\nfrom lake.play",
    "select 1 -- lake.play's\nfrom venue_core.lake.play",
  ],
  ["in a long comment", "/* lake.play ' */ from lake.play", "/* lake.play ' */ from venue_core.lake.play"],
  ["inside a quoted name", 'select "a lake.play" from t', 'select "a lake.play" from t'],
  ["after a quote in a string", "select '--' from lake.a", "select '--' from venue_core.lake.a"],
  ["named like a property of every object", "from constructor.x", "from constructor.x"],
])("renames schemas: %s", (_label, sql, renamed) => {
  expect(renameSchemas(sql, schemas)).toBe(renamed);
});
