import { readXlsx } from "hucre/xlsx";
import { expect, it, onTestFinished } from "vitest";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import {
  buildProof,
  parseProofOptions,
  type TypedProofOptions,
} from "../../../src/report/proof/build-proof.ts";
import { claimProof, listProofFacts } from "../../../src/report/proof/proof-text.ts";
import { summarizeProof } from "../../../src/report/proof/summarize-proof.ts";
import { formatProof } from "../../../src/report/proof/write-proof.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { joinWords } from "../../../src/report/text/readable-text.ts";
import { itEachSampled, itInAll } from "../../support/long-suite.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { rowsOf } from "../report-rows.ts";
import {
  advertiserOf,
  bookedDates,
  bookedPlays,
  campaignKeys,
  drawProofWorld,
  format,
  itemName,
  key,
  kindOf,
  locationOf,
  type ProofCell,
  period,
  sumPlays,
} from "./proof-world.ts";

const now = new Date("2026-11-21T06:00:00Z");

/** Counts as the document shows them, without its code. */
function count(cells: readonly ProofCell[]) {
  const of = (...states: string[]) => cells.filter(({ state }) => states.includes(state));
  const plays = (some: readonly ProofCell[]) =>
    some.reduce((sum, { items }) => sum + sumPlays([...items.values()]), 0);
  const exclusive = of("compliant").reduce((sum, cell) => sum + cell.exclusive, 0);
  const scheduled = cells.filter(({ state }) => state !== "unscheduled");
  const timed = of("compliant", "missed");
  const times = (some: readonly ProofCell[], name: "due" | "met") =>
    some.reduce((sum, cell) => sum + (cell[name] ?? 0), 0);
  return {
    Scheduled: scheduled.length,
    "Scheduled by assumption": scheduled.filter(({ isAssumed }) => isAssumed).length,
    Ran: of("compliant").length,
    "Ran with shared plays only": of("compliant").filter((cell) => cell.exclusive === 0).length,
    Missed: of("missed").length,
    "Missed, player down": of("missed_offline").length,
    Closed: of("closed").length,
    "Not measurable": of("not_measurable").length,
    Pending: of("pending").length,
    "Exclusive plays": exclusive,
    "Shared plays": plays(of("compliant")) - exclusive,
    "Bonus plays": plays(of("unscheduled")),
    "Due times": times(timed, "due"),
    "Due times met": times(timed, "met"),
  };
}

/** Orders campaigns as reports do: by kind and number. */
const compareKeys = (a: number, b: number) =>
  kindOf(a) < kindOf(b) ? -1 : kindOf(a) > kindOf(b) ? 1 : a - b;
/** True for plays that count for the line of booked plays. */
const isBooked = ({ date, state }: ProofCell) =>
  bookedDates.valid_from <= date && date <= bookedDates.valid_to && state !== "unscheduled";

type Counts = Record<string, unknown>;

/** Tables of a page by title: rows by their name, cells by column; numbers without separators. */
function readTables(page: string): Record<string, Record<string, Counts>> {
  const sections = page.matchAll(
    /<section aria-labelledby="[^"]*"><h2 id="[^"]*">([^<]*)<\/h2>[\s\S]*?<\/section>/g,
  );
  return Object.fromEntries(
    Array.from(sections, ([section, title = ""]) => {
      const heads = Array.from(
        section.matchAll(/<th scope="col"[^>]*>([^<]*)<\/th>/g),
        ([, head = ""]) => head,
      );
      const lines = Array.from(section.matchAll(/<tr>(<th scope="row".*?)<\/tr>/gs), ([, cells = ""]) =>
        Array.from(cells.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs), ([, cell = ""]) => textOf(cell)),
      );
      const rows = lines.map((cells, line) => [
        title === "Assets" ? cells[0] : `${line}`,
        Object.fromEntries(
          heads.map((head, at) => [
            head,
            /^[\d,]+$/.test(cells[at] ?? "") ? Number(cells[at]?.replaceAll(",", "")) : cells[at],
          ]),
        ),
      ]);
      return [title, Object.fromEntries(rows)];
    }),
  );
}

function textOf(markup: string): string {
  return markup
    .replace(/<span class="place">.*?<\/span>/gs, "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

/** Keeps figures that a table has; it leaves out columns without any value. */
const pick = (counts: Counts, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, counts[name]]));

async function open(seed: number) {
  const folder = createTempFolder();
  const world = drawProofWorld(seed);
  await publishFixture(folder, world.fixture);
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  const prove = (words: TypedProofOptions) =>
    buildProof(mart, parseProofOptions({ ...period, ...words }), {}, now);
  return { ...world, mart, prove };
}

const scopes: [words: TypedProofOptions, isChosen: (campaign: number) => boolean][] = [
  [{ campaign: ["2"] }, (campaign) => campaign === 9],
  [{ where: ["advertiser=Acme"] }, (campaign) => advertiserOf(campaign) === "Acme"],
];

itEachSampled(
  Array.from({ length: 20 }, (_, index) => index + 1),
  2,
)("world %i: documents equal an independent count, and the reports", async (seed) => {
  const { cells, mart, prove } = await open(seed);
  for (const [words, isChosen] of scopes) {
    const own = cells.filter(
      ({ campaign, date }) => isChosen(campaign) && date >= period.from && date <= period.to,
    );
    const document = await prove(words);
    const page = (await format("proof.html", document)).toString();
    const tables = readTables(page);
    const total = count(own);
    for (const [title, keyOf] of [
      ["Days", ({ date }: ProofCell) => date],
      ["Venues", ({ zone, date }: ProofCell) => `${zone} ${locationOf(zone, date) === 3}`],
    ] as const) {
      const keys = [...new Set(own.map(keyOf))].sort((a, b) => (a < b ? -1 : 1));
      const expected = keys.map((key) => count(own.filter((cell) => keyOf(cell) === key)));
      if (expected.length > 0) expected.push(total);
      const rows = Object.values(tables[title] ?? {});
      const names = Object.keys(total).filter((name) => name in (rows[0] ?? {}));
      expect(rows.map((row) => pick(row, names))).toEqual(expected.map((counts) => pick(counts, names)));
      const missing = Object.entries(total).filter(([name]) => !names.includes(name));
      expect(missing.filter(([, value]) => value !== 0)).toEqual([]);
    }
    const ran = own.filter(({ state }) => state === "compliant");
    const items = new Map<string, number>();
    for (const { items: played } of ran)
      for (const [item, { plays }] of played) {
        const label = `${itemName(item)} (${kindOf(item)} ${Math.floor(item / 4)})`;
        items.set(label, (items.get(label) ?? 0) + plays);
      }
    const assets = Object.values(tables.Assets ?? {}).map((row) => [
      row.Asset,
      row["Plays, exclusive or shared"],
    ]);
    expect(Object.fromEntries(assets.filter(([, plays]) => plays !== 0))).toEqual(Object.fromEntries(items));

    const chosen = campaignKeys.filter(isChosen);
    const [, scope = ""] = /<p class="scope">([^<]*)/.exec(page) ?? [];
    expect(scope.split(" · ")).toEqual(
      expect.arrayContaining([
        `contract ${joinWords(
          chosen.sort(compareKeys).map((campaign) => `C-${campaign}`),
          "and",
        )}`,
        "agency Höhe &amp; &lt;b&gt;",
        "market North",
        "made 21 November 2026, 06:00 UTC",
      ]),
    );
    expect(
      Object.values(tables["Contracted and delivered"] ?? {}).map((row) => [
        row["Contracted plays"],
        row["Delivered so far"],
      ]),
    ).toEqual(
      [...chosen]
        .sort(compareKeys)
        .map((campaign) => [
          bookedPlays(campaign),
          cells
            .filter((cell) => cell.campaign === campaign && isBooked(cell))
            .reduce((sum, { exclusive }) => sum + exclusive, 0),
        ]),
    );

    const { sheets } = await readXlsx(await format("proof.xlsx", document));
    const days = sheets.find(({ name }) => name === "Days")?.rows ?? [];
    expect(days.slice(1, -1).map((row) => row[0])).toEqual([...new Set(own.map(({ date }) => date))].sort());
    if (words.campaign) continue;
    for (const file of ["proof.html", "proof.xlsx"] as const)
      expect((await format(file, await prove(words))).equals(await format(file, document))).toBe(true);
    const reportOf = async (report: string, by: string[]) =>
      await rowsOf(await runReport(mart, parseReportOptions({ report, ...period, ...words, by }), now));
    const sumOf = (rows: Counts[], name: string) =>
      rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0);
    const compliance = await reportOf("compliance", ["campaign"]);
    const played = await reportOf("plays", ["campaign"]);
    expect(
      [
        "scheduled_days",
        "compliant_days",
        "missed_days",
        "missed_offline_days",
        "pending_days",
        "due_times",
        "met_times",
      ].map((name) => sumOf(compliance, name)),
    ).toEqual([
      total.Scheduled,
      total.Ran,
      total.Missed,
      total["Missed, player down"],
      total.Pending,
      total["Due times"],
      total["Due times met"],
    ]);
    const pending = own.filter(({ state }) => state === "pending");
    expect([sumOf(played, "unscheduled_plays"), sumOf(played, "plays")]).toEqual([
      total["Bonus plays"],
      total["Exclusive plays"] +
        total["Shared plays"] +
        total["Bonus plays"] +
        sumPlays(pending.flatMap(({ items }) => [...items.values()])),
    ]);
  }
});

it("sources that were never collected completely stand in the claim, and next to the coverage", async () => {
  const folder = createTempFolder();
  const { fixture } = drawProofWorld(1);
  const snapshot = { requested_at: "2026-11-21 04:10:00", loaded_at: "2026-11-21 04:10:00" };
  await publishFixture(folder, {
    ...fixture,
    rows: {
      ...fixture.rows,
      dim_group: [1, 2].map((id) => ({ group_id: id, group_name: `Group ${id}` })),
      // Group 2 never returned its history and campaigns, and neither group its devices.
      fact_snapshot: ["signage", "messaging"].map((kind) => ({
        ...{ snapshot_id: 1, source: "campaigns", kind, group_id: 1, zone_id: null, ...snapshot },
      })),
    },
  });
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  const document = await buildProof(
    mart,
    parseProofOptions({ from: "2026-11-05", to: "2026-11-12", campaign: ["2"] }),
    {},
    now,
  );
  const summary = await summarizeProof(document);
  const missing =
    "signage and messaging history of group 2; signage and messaging campaigns of group 2; devices";
  expect(document.source.missingSources).toBe(missing);
  expect(claimProof(document, summary)).toContain(`; some data was never collected completely (${missing})`);
  const coverage = listProofFacts(document, summary).find(({ label }) => label === "Coverage");
  expect(coverage?.note).toContain(missing);
});

itInAll("while a large proof is counted and written, the process does other work", async () => {
  const { prove } = await open(1);
  const document = await prove({ campaign: ["2"] });
  let reads = { total: 0, sinceTurn: 0, most: 0 };
  const count = <Row extends object>(row: Row, zone: number) =>
    Object.defineProperty({ ...row, zone_id: zone }, "date", {
      enumerable: true,
      get: () => {
        reads.total += 1;
        reads.sinceTurn += 1;
        reads.most = Math.max(reads.most, reads.sinceTurn);
        return "2026-11-05";
      },
    });
  const grow = <Row extends object>([row]: readonly Row[]) =>
    Array.from({ length: 8_000 }, (_, zone) => (row ? count(row, zone) : row)) as Row[];
  const { rows } = document;
  const large = { ...document, rows: { ...rows, days: grow(rows.days), plays: grow(rows.plays) } };
  let isOver = false;
  const turn = () => {
    reads.sinceTurn = 0;
    if (!isOver) setImmediate(turn);
  };
  turn();
  for (const file of ["proof.html", "proof.xlsx"]) {
    reads = { total: 0, sinceTurn: 0, most: 0 };
    let length = 0;
    for await (const piece of await formatProof(file, large, key)) length += piece.length;
    expect(length).toBeGreaterThan(100_000);
    expect(reads.total).toBeGreaterThan(30_000);
    expect(reads.most).toBeLessThan(reads.total / 10);
  }
  isOver = true;
});
