import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findOwnReport } from "../../../src/report/own/list-own-reports.ts";
import type { OwnReport } from "../../../src/report/own/own-report.ts";
import { listDaysBetween } from "../../../src/util/local-date.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { count, filters, openDrawnWorld } from "../drawn-reports.ts";
import { campaignKeys, cells, plays, toAttributeName } from "../drawn-world.ts";

const { report } = openDrawnWorld();

describe("own reports follow the attributes of the relations that they join", () => {
  const ownReport = (name: string, sql: string) => {
    const own = createTempFolder();
    mkdirSync(join(own, "reports"), { recursive: true });
    writeFileSync(join(own, "reports", `${name}.sql`), sql);
    return findOwnReport(own, name) as OwnReport;
  };
  const asked = (where: Record<string, string[]>) =>
    Object.entries(where).map(([name, values]) => `${name}=${values.join(",")}`);

  it("a whole select in parentheses is rejected by line and column if it begins with with", async () => {
    const own = ownReport(
      "wrapped",
      "-- Zones.\n\n  (with z as (select zone_id from chosen_zone_day) select * from z)",
    );
    await expect(report({ report: own.name, own })).rejects.toMatchObject({
      code: "OWN_FILE",
      message: expect.stringContaining('wrapped.sql:3:3: the whole select, which begins with "with",'),
    });
  });

  it.each(filters)("chosen_zone_day where %j", async (where) => {
    const own = ownReport(
      "played",
      `select z.zone_id, z.date, cast(sum(f.plays) as bigint) as plays
      from fact_play_day as f
      inner join chosen_zone_day as z on z.zone_id = f.zone_id and z.date = f.date
      group by z.zone_id, z.date`,
    );
    const rows = await report({ report: own.name, own, where: asked(where) });
    const found = rows.map(({ zone_id, date, plays: of }) =>
      JSON.stringify([[zone_id, date], { plays: of }]),
    );
    expect(found.sort()).toEqual(
      count(plays, { by: ["zone", "date"], where }, (of) => ({ plays: of.length })),
    );
  });

  it.each([{}, { advertiser: ["Acme"] }, { advertiser: ["(none)"] }])(
    "chosen_campaign and period where %j",
    async (where: Record<string, string[]>) => {
      const own = ownReport(
        "cells",
        `with counted as (
          select f.campaign_key, count(*) as cells
          from fact_campaign_zone_day as f
          inner join period as d on d.date = f.date
          group by f.campaign_key
        )
        select c.campaign_key, n.cells from chosen_campaign as c
        inner join counted as n on n.campaign_key = c.campaign_key order by c.campaign_key`,
      );
      const [from, to] = ["2026-09-25", "2026-10-04"];
      const rows = await report({ report: own.name, own, from, to, where: asked(where) });
      const isOf = (campaign: number) =>
        Object.entries(where).every(([name, values]) =>
          listDaysBetween(from, to).some((date) =>
            values.includes(toAttributeName(name, { campaign }, date)),
          ),
        );
      const expected = campaignKeys.filter(isOf).map((campaign_key) => ({
        campaign_key,
        cells: cells.filter(({ campaign, date }) => campaign === campaign_key && from <= date && date <= to)
          .length,
      }));
      expect(rows).toEqual(expected);
    },
  );
});
