import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { readXlsx, writeXlsx } from "hucre/xlsx";
import { expect, it, onTestFinished } from "vitest";
import { buildProof, parseProofOptions } from "../../../src/report/proof/build-proof.ts";
import { hashProofRows } from "../../../src/report/proof/proof-tables.ts";
import { formatProofWorkbook } from "../../../src/report/proof/proof-workbook.ts";
import { readProof } from "../../../src/report/proof/read-proof.ts";
import { renderProofHtml } from "../../../src/report/proof/render-proof.ts";
import { verifyProof } from "../../../src/report/proof/verify-proof.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { drawProofWorld, period } from "./proof-world.ts";

const now = new Date("2026-11-21T06:00:00Z");
const brand = {
  logo: "<svg xmlns='http://www.w3.org/2000/svg'/>",
  css: "p { color: red }",
  about: "Höhe AG",
};
const { fixture, cells } = drawProofWorld(16);

async function open(folder: string, asOf?: string) {
  const mart = await openPublished(folder, { threads: 1, ...(asOf && { asOf }) });
  onTestFinished(() => mart.close());
  return mart;
}

async function prove() {
  const folder = createTempFolder();
  await publishFixture(folder, fixture);
  const mart = await open(folder);
  const request = parseProofOptions({ ...period, where: ["advertiser=Acme"] });
  return { folder, mart, document: await buildProof(mart, request, brand, now) };
}

it("detects changed rows, figures, texts and cells", async () => {
  const { mart, document } = await prove();
  const page = await renderProofHtml(document);
  const replaceRows = (data: string) =>
    Buffer.from(Buffer.from(data, "base64").toString().replace("compliant", "missed")).toString("base64");
  const rowsOf = /(<a download="proof-days\.csv" href="data:text\/csv;charset=utf-8;base64,)([^"]*)/;
  const rows = page.replace(rowsOf, (_all, start: string, data: string) => `${start}${replaceRows(data)}`);
  expect(await readProof(Buffer.from(rows))).toMatchObject({ hasRowHash: false });

  // A forger may compute the SHA-256 and all figures anew, but not change the published data.
  const forged = structuredClone(document);
  const [first] = forged.rows.days.filter(({ state }) => state === "compliant");
  Object.assign(first ?? {}, { state: "missed" });
  const read = await readProof(Buffer.from(await renderProofHtml(forged)));
  expect(read).toMatchObject({ hasRowHash: true, firstDifference: undefined });
  expect((await verifyProof(mart, read.document)).differences).toMatchObject([
    { table: "days", change: "other", changes: ["state missed → compliant"] },
  ]);

  for (const [from, to] of [
    [/ ran on \d+/, " ran on 999999"],
    [/<span class="note">/, '<span class="note">fully '],
    ["default-src 'none'", "default-src *"],
    ["</main>", "<script>alert(1)</script></main>"],
    ["</html>\n", "</html>\nmore"],
  ] as const) {
    const changed = page.replace(from, to);
    expect(changed === page, String(from)).toBe(false);
    expect(await readProof(Buffer.from(changed)), to).toMatchObject({
      hasRowHash: true,
      firstDifference: expect.any(String),
    });
  }

  const workbook = await formatProofWorkbook({ ...document, brand: {} });
  const { sheets } = await readXlsx(workbook);
  const write = async (change?: (rows: (typeof sheets)[number]["rows"]) => void, name?: string) => {
    const copies = structuredClone(sheets);
    change?.(copies.find((sheet) => sheet.name === name)?.rows ?? []);
    return await readProof(
      Buffer.from(
        await writeXlsx({ sheets: copies.map(({ name: title, rows }) => ({ name: title, rows })) }),
      ),
    );
  };
  // Saved by another program, which may have changed what readers see of the same values.
  expect(await write()).toMatchObject({
    hasRowHash: true,
    firstDifference: expect.stringContaining("the values of all cells are as expected"),
  });
  expect((await readProof(Buffer.concat([workbook, Buffer.from("more")]))).firstDifference).toBeDefined();
  const set =
    (line: number, at: number, value: string | number) => (rows: (typeof sheets)[number]["rows"]) => {
      (rows[line] ?? [])[at] = value;
    };
  expect(await write(set(1, 6, "missed!"), "rows days")).toMatchObject({ hasRowHash: false });
  expect(await write(set(1, 1, 999), "Days")).toMatchObject({
    hasRowHash: true,
    firstDifference: expect.stringContaining("999"),
  });

  const broken = [
    page.slice(0, 2_000),
    "PK no workbook",
    page.replace(/name="venue-proof" content="[^"]*"/, 'name="venue-proof" content="e30="'),
  ];
  for (const text of broken)
    await expect(readProof(Buffer.from(text))).rejects.toMatchObject({
      code: "PROOF_FILE",
      category: "usage",
    });
});

it("recomputes rows from the named version, else from the newest, with restatements since", async () => {
  const { folder, mart, document } = await prove();
  expect(await verifyProof(mart, document)).toMatchObject({
    isNamed: true,
    otherDatabase: undefined,
    differences: [],
  });
  for (const stated of [
    { builtAt: "2026-11-21T05:00:01Z" },
    { dataAsOf: "2026-11-22T04:10:00Z" },
    { completeFrom: "2026-01-01" },
    { completeTo: "2026-11-22" },
    { missingSources: "devices" },
    { slotMinutes: 7 },
  ]) {
    const changed = { ...document, source: { ...document.source, ...stated } };
    const { otherDatabase, otherAge } = await verifyProof(mart, changed);
    expect(otherDatabase ?? otherAge).toContain(`${Object.values(stated)} according to the proof`);
    expect(otherDatabase === undefined).toBe(!("builtAt" in stated || "slotMinutes" in stated));
  }

  const ofProof = cells.filter(
    ({ campaign, date }) => campaign === 5 && date >= period.from && date <= period.to,
  );
  const getDate = (state: string) => ofProof.find((cell) => cell.state === state)?.date ?? "";
  const restated = getDate("compliant");
  const other = ofProof.findLast(({ state, date }) => state === "compliant" && date !== restated)?.date ?? "";
  const change = ({ date }: { date?: unknown }) => [restated, other].includes(String(date));
  const rows = fixture.rows.fact_campaign_zone_day?.map((row) => {
    if (row.campaign_key !== 5) return row;
    if (row.state === "pending") return { ...row, state: "missed" };
    return row.state === "compliant" && change(row) ? { ...row, state: "not_measurable" } : row;
  });
  await publishFixture(folder, {
    ...fixture,
    version: "v000003",
    rows: {
      ...fixture.rows,
      dim_campaign: fixture.rows.dim_campaign?.map((row) => ({ ...row, campaign_name: "New name" })) ?? [],
      fact_campaign_zone_day: rows ?? [],
      fact_restatement: [
        {
          version: "v000003",
          kind: "signage",
          date: restated,
          plays_before: 1,
          plays_after: 1,
          states_changed: 1,
        },
        {
          version: "v000001",
          kind: "signage",
          date: other,
          plays_before: 1,
          plays_after: 1,
          states_changed: 1,
        },
      ],
    },
  });
  // The named version is kept.
  expect((await verifyProof(await open(folder, "v000001"), document)).differences).toEqual([]);
  rmSync(join(folder, "v000001"), { recursive: true });
  const { differences, ...recomputed } = await verifyProof(await open(folder), document);
  expect(recomputed).toMatchObject({ version: "v000003", isNamed: false, otherDatabase: undefined });
  const kindsOf = (date: string) =>
    differences.flatMap(({ subject, change: kind, changes }) =>
      subject.startsWith(date) && changes.includes("state compliant → not_measurable") ? [kind] : [],
    );
  expect(new Set(kindsOf(restated))).toEqual(new Set(["restated"]));
  expect(new Set(kindsOf(other))).toEqual(new Set(["other"]));
  const pending = ofProof.filter(({ state }) => state === "pending").length;
  const settled = differences.filter(({ table, change: kind }) => table === "days" && kind === "settled");
  expect(settled.filter(({ changes }) => changes.includes("state pending → missed"))).toHaveLength(pending);
  expect(differences).toContainEqual(expect.objectContaining({ table: "campaigns", change: "renamed" }));

  const newer = { ...document, source: { ...document.source, version: "v000009" } };
  expect((await verifyProof(await open(folder), newer)).otherDatabase).toContain("older than v000009");
});

it("hashes the rows as their files do", async () => {
  const { document } = await prove();
  const page = await renderProofHtml(document);
  const files = Array.from(page.matchAll(/data:text\/csv;charset=utf-8;base64,([^"]*)"/g), ([, data = ""]) =>
    Buffer.from(data, "base64"),
  );
  expect(createHash("sha256").update(Buffer.concat(files)).digest("hex")).toBe(
    await hashProofRows(document.rows),
  );
});
