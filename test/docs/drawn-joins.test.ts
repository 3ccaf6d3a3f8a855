import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { blocksOf } from "./pages.ts";

const joins = blocksOf("docs/analyst.md")
  .filter(({ language }) => language === "mermaid")
  .flatMap(({ text }) => [...text.matchAll(/^ +(\w+) \S+ (\w+) : (\w+)$/gm)])
  .map(([, one = "", many = "", column = ""]) => ({ one, many, column }));

it("the drawing for analysts joins tables by columns that both have", () => {
  expect(joins.length).toBeGreaterThan(20);
  const wrong = joins.filter(
    ({ one, many, column }) => ![one, many].every((table) => columnsOf(table).includes(column)),
  );
  expect(wrong).toEqual([]);
});

/** Those that the model's header describes; none where there is no such table. */
function columnsOf(table: string): string[] {
  const file = join(packageRoot, "sql", "models", "mart", `${table}.sql`);
  if (!existsSync(file)) return [];
  const [, columns = ""] = readFileSync(file, "utf8").split("-- Columns:\n");
  return [...columns.matchAll(/^-- {3}(\w+) {2,}/gm)].map(([, name = ""]) => name);
}
