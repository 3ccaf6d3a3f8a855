import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { FormatOptions } from "../../../src/report/format/formatter.ts";
import { loadFormatter } from "../../../src/report/format/load-formatter.ts";
import type { FormatName } from "../../../src/report/formats.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { demoNow, shareDemoData } from "../../support/shared-demo.ts";

let demo: PublishedMart;
beforeAll(async () => {
  demo = await openPublished(join(await shareDemoData(), "published"), { threads: 1 });
});
afterAll(() => demo.close());

/** The day on which one zone was down for 7 h 22 min, compared with the previous day. */
async function written(format: FormatName, options: FormatOptions = {}): Promise<Buffer> {
  const words = { report: "uptime", from: "2026-11-20", to: "2026-11-20", by: ["zone"], compare: "before" };
  const report = await runReport(
    demo,
    parseReportOptions({
      ...words,
      zone: ["Indiranagar Upstairs", "Fulton Bar"],
      sort: "down_seconds_change",
    }),
    demoNow,
  );
  const pieces: Buffer[] = [];
  for await (const piece of (await loadFormatter(format))(report, options)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

const columns = ["zone_name", "down_seconds", "down_seconds_then", "down_seconds_change"];
const change = (86_400 - 26_520) / 86_400 - 1;
const wanted = [
  ["Fulton Bar", 0, 0, 0, 0],
  ["Indiranagar Upstairs", 26_520, 0, 26_520, change],
];

async function textOf(format: FormatName, options?: FormatOptions): Promise<string> {
  return (await written(format, options)).toString().replaceAll("\u00a0", " ");
}

function pick(rows: readonly Record<string, unknown>[]): unknown[][] {
  return rows.map((row) => [...columns, "availability_change"].map((name) => row[name]));
}

it("csv and json keep numbers unchanged", async () => {
  expect(pick(JSON.parse(await textOf("json")))).toEqual(wanted);
  const [header = "", ...lines] = (await textOf("csv")).trimEnd().split("\r\n");
  const names = header.split(",");
  const rows = lines.map((line) =>
    Object.fromEntries(line.split(",").map((value, index) => [names[index], value])),
  );
  expect(pick(rows)).toEqual(wanted.map((row) => row.map(String)));
});

it("a table keeps numbers except percentage points; a terminal adds marks and the answer", async () => {
  const [fulton, upstairs] = (await textOf("table")).split("\n").filter((line) => /^ *8\d+ /.test(line));
  expect(fulton).toMatch(/ 86400 +86400 +0 .* 100\.0 % +100\.0 % +=/);
  expect(upstairs).toMatch(/ 59880 +86400 +-26520 .* 69\.3 % +100\.0 % +▼ -30\.69 pp/);
  const shown = await textOf("table", { isTerminal: true, width: 78 });
  expect(shown).toMatch(/^Availability fell by 15\.35 percentage points: /);
  expect(shown).toMatch(/2026-11-20 · compared with 2026-11-19/);
  expect(shown).toMatch(/Indiranagar Upstairs +69\.3 % [█▏▎▍▌▋▊▉ ]*100\.0 % [█ ]*▼ -30\.69 pp/);
  for (const line of shown.split("\n")) expect(line.length).toBeLessThanOrEqual(78);
  const wide = await textOf("table", { isTerminal: true, isWide: true });
  expect(wide).toMatch(/▲ \+7 h 22 min/);
});

it("a page marks changes, words them for screen readers, and shows the largest decrease first", async () => {
  const text = await textOf("html");
  expect(text).toContain('<p class="headline">Availability fell by 15.35 percentage points: ');
  const table = /<table data-rows>[\s\S]*<\/table>/.exec(text)?.[0] ?? "";
  const heads = Array.from(table.matchAll(/<th [^>]*>(.*?)<\/th>/g), ([, head]) => head);
  expect(heads.slice(0, 4)).toEqual(["Zone", "Availability", "Availability then", "Availability, change"]);
  expect(heads).not.toContain("Down then");
  expect(table).toContain(
    '<span><span aria-hidden="true">▼</span><span class="unseen">down</span> -30.69 pp</span>',
  );
  expect(table).toContain(
    '<span>7 h 22 min<br><small><span><span aria-hidden="true">▲</span><span class="unseen">up</span> +7 h 22 min</span></small></span>',
  );
  expect(table).toContain('<span aria-hidden="true">=</span><span class="unseen">no change</span>');
});
