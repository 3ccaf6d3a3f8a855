import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { DataDictionary } from "../../../src/publish/dictionary/data-dictionary.ts";
import { renderDictionaryPage } from "../../../src/publish/dictionary/dictionary-page.ts";
import { PublishedWarehouse } from "../published-warehouse.ts";

it("describes every published column", async () => {
  const published = await PublishedWarehouse.open();
  const { folder, manifest } = await published.buildAndPublish();
  const dictionary: DataDictionary = JSON.parse(readFileSync(join(folder, "dictionary.json"), "utf8"));
  const page = readFileSync(join(folder, "dictionary.html"), "utf8");
  expect(dictionary.tables.map(({ name, columns }) => [name, columns])).toEqual(
    Object.entries(manifest.tables).map(([name, { columns }]) => [name, columns]),
  );
  for (const { name, description, columns } of dictionary.tables) {
    expect(page).toContain(`<h2 id="${name}">`);
    expect(description).not.toBe("");
    expect(columns.filter((column) => column.description === "")).toEqual([]);
  }
});

it("loads nothing, runs nothing, and shows markup as text", () => {
  const column = { name: "<b>x</b>", type: "VARCHAR", description: `"quoted" & <script>alert('x')</script>` };
  const table = { name: "t", description: "<img src=x>", grain: ["<b>x</b>"], columns: [column] };
  const page = renderDictionaryPage({ version: "v000001", tables: [table] });
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/<(script|img|b|link|iframe)\b|unsafe-inline|https?:/);
  expect(page).toContain("&quot;quoted&quot; &amp; &lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
  expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
});
