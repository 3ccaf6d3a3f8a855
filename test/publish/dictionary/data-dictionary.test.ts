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
  expect(
    dictionary.tables.map(({ name, columns }) => [
      name,
      columns.map((column) => ({ name: column.name, type: column.type, description: column.description })),
    ]),
  ).toEqual(Object.entries(manifest.tables).map(([name, { columns }]) => [name, columns]));
  for (const { name, description, columns } of dictionary.tables) {
    expect(page).toContain(`<h2 id="${name}">`);
    expect(description).not.toBe("");
    expect(columns.filter(({ label, description }) => label === "" || description === "")).toEqual([]);
  }
});

it("loads and runs nothing, and shows markup as text", () => {
  const column = {
    name: "<b>x</b>",
    type: "VARCHAR",
    label: "<b>X</b>",
    unit: "text" as const,
    definition: "",
    description: `"quoted" & <script>alert('x')</script>`,
  };
  const table = {
    name: "t",
    description: "<img src=x>",
    grain: ["<b>x</b>"],
    columns: [column],
    reads: ["<b>core.y</b>", "staging.z"],
    read_by: ["<b>t</b>"],
    reports: ["<b>plays</b>"],
  };
  const step = { name: "staging.z", description: "<img src=z>", reads: ["core.<b>z</b>"] };
  const own = {
    kind: "report" as const,
    name: "repeats",
    file: "own/<b>/repeats.sql",
    title: "<b>Repeats</b>",
    description: "<script>",
    columns: [{ name: "<b>n</b>", label: "<b>N</b>", unit: "count" as const, definition: "<img src=o>" }],
    reads: ["<b>t</b>"],
  };
  const page = renderDictionaryPage({ version: "v000001", tables: [table], steps: [step], own: [own] });
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/<(script|img|b|link|iframe)\b|unsafe-inline|https?:/);
  expect(page).toContain("&quot;quoted&quot; &amp; &lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
  expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
});

it("shows the sources of each table down to the loaded data, and its readers", async () => {
  const published = await PublishedWarehouse.open();
  const { folder } = await published.buildAndPublish();
  const dictionary: DataDictionary = JSON.parse(readFileSync(join(folder, "dictionary.json"), "utf8"));
  const tables = new Map(dictionary.tables.map((table) => [table.name, table]));
  expect(tables.get("fact_play_day")).toMatchObject({
    reads: ["mart.fact_play"],
    reports: ["plays", "proof", "single-plays"],
  });
  expect(tables.get("fact_play_day")?.read_by).toContain("fact_campaign_zone_day");
  expect(tables.get("fact_play")?.read_by).toContain("fact_device_day");
  expect(tables.get("dim_zone")?.reports).toContain("uptime");
  // Via an intermediate step.
  expect(tables.get("fact_listed_asset")?.reports).toEqual([
    "compliance",
    "delivery",
    "proof",
    "quality",
    "schedule",
    "single-plays",
  ]);

  const page = readFileSync(join(folder, "dictionary.html"), "utf8");
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
  expect(links.filter((target) => !page.includes(`<h2 id="${target}">`))).toEqual([]);
  const [, section = ""] = page.split('<h2 id="fact_device_day">');
  expect(section.slice(0, section.indexOf("</section>"))).toMatch(
    /Derived from 1 table.*staging\.player_day.*staging\.device_snapshot.*core\.device_snapshot.*Read by .*uptime/s,
  );
});
