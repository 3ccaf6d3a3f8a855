import { expect, it, onTestFinished } from "vitest";
import { buildProof, parseProofOptions } from "../../../src/report/proof/build-proof.ts";
import { checkProof } from "../../../src/report/proof/check-proof.ts";
import { compareProof } from "../../../src/report/proof/compare-proof.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { drawProofWorld, format, period, publicKey } from "./proof-world.ts";

const { fixture, cells } = drawProofWorld(16);

async function open(folder: string) {
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  return mart;
}

it.each(["proof.html", "proof.xlsx"] as const)(
  "sorts what differs today from the rows of %s",
  async (file) => {
    const folder = createTempFolder();
    await publishFixture(folder, fixture);
    const mart = await open(folder);
    const request = parseProofOptions({ ...period, where: ["advertiser=Acme"] });
    const document = await buildProof(mart, request, {}, new Date("2026-11-21T06:00:00Z"));
    const bytes = await format(file, document);
    const { frame } = checkProof(bytes, publicKey);
    if (!frame) throw new Error("the proof is not signed");
    const rows = Object.values(document.rows).reduce((sum, table) => sum + table.length, 0);
    expect(await compareProof(mart, bytes, frame)).toEqual({ rows, differences: [] });

    const ofProof = cells.filter(
      ({ campaign, date }) => campaign === 5 && date >= period.from && date <= period.to,
    );
    const restated = ofProof.find(({ state }) => state === "compliant");
    const lost = ofProof.findLast(({ state }) => state === "compliant");
    const isDay = (row: { zone_id?: unknown; date?: unknown }, cell: typeof lost) =>
      row.zone_id === cell?.zone && row.date === cell?.date;
    await publishFixture(folder, {
      ...fixture,
      version: "v000003",
      rows: {
        ...fixture.rows,
        dim_campaign: fixture.rows.dim_campaign?.map((row) => ({ ...row, campaign_name: "New name" })) ?? [],
        fact_campaign_zone_day:
          fixture.rows.fact_campaign_zone_day?.flatMap((row) => {
            if (row.campaign_key !== 5) return [row];
            if (isDay(row, lost)) return [];
            if (row.state === "pending") return [{ ...row, state: "missed" }];
            return [isDay(row, restated) ? { ...row, state: "not_measurable" } : row];
          }) ?? [],
      },
    });
    const { differences } = await compareProof(await open(folder), bytes, frame);
    const days = differences.filter(({ table, before }) => table === "days" && before?.campaign_id === "1");
    const changes = (change: string) =>
      days
        .filter((one) => one.change === change && one.columns.includes("state"))
        .map(({ before, now }) => [before?.zone_id, before?.date, before?.state, now?.state]);
    expect(changes("restated").sort()).toEqual(
      [
        [`${restated?.zone}`, restated?.date, "compliant", "not_measurable"],
        [`${lost?.zone}`, lost?.date, "compliant", undefined],
      ].sort(),
    );
    const pending = ofProof.filter(({ state }) => state === "pending");
    expect(changes("settled").sort()).toEqual(
      pending.map(({ zone, date }) => [`${zone}`, date, "pending", "missed"]).sort(),
    );
    expect(differences.filter(({ table }) => table === "campaigns").map(({ change }) => change)).toContain(
      "renamed",
    );
    expect(changes("renamed")).toEqual([]);
  },
);
