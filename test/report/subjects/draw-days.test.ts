import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findEqualNames } from "../../../src/report/findings/names.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { type DrawnSubjects, drawDays } from "../../../src/report/subjects/draw-days.ts";
import { readSubjectTables, type SubjectTables } from "../../../src/report/subjects/subject-tables.ts";
import { demoNow, shareDemoData } from "../../support/shared-demo.ts";

let mart: PublishedMart;
let names: Awaited<ReturnType<typeof findEqualNames>>;
let tables: SubjectTables;
beforeAll(async () => {
  mart = await openPublished(`${await shareDemoData()}/published`);
  names = await findEqualNames(mart);
  tables = await readSubjectTables(mart, {}, { names, now: demoNow });
});
afterAll(() => mart.close());

describe.each(["campaign", "zone"] as const)("for each %s", (own) => {
  const ofOwn = () => (own === "campaign" ? tables.zonesOfCampaign : tables.campaignsOfZone);

  async function draw(subjects: readonly string[], limits: Pick<DrawnSubjects, "maxRows" | "maxDrawn"> = {}) {
    const request: string[] = [];
    const counted: PublishedMart = {
      ...mart,
      all: async (sql, parameters) => {
        request.push(sql);
        return await mart.all(sql, parameters);
      },
    };
    const drawn = drawDays(counted, { own, subjects, tables: ofOwn(), ...limits }, names);
    const maps = [];
    for (const subject of subjects) maps.push(await drawn(subject, (address) => JSON.stringify(address)));
    return { maps, request: request.length };
  }

  it("days read in batches equal those read for one subject", async () => {
    const subjects = [...ofOwn().keys()];
    expect(subjects.length).toBeGreaterThan(3);
    const atOnce = await draw(subjects);
    expect(atOnce.request).toBe(1);
    expect(atOnce.maps.flat().length).toBeGreaterThan(3);
    const alone = await draw(subjects, { maxRows: 1 });
    expect(alone.request).toBe(subjects.length);
    expect(alone.maps).toEqual(atOnce.maps);
    const inParts = await draw(subjects, { maxRows: 600 });
    expect(inParts.request).toBeGreaterThan(1);
    expect(inParts.request).toBeLessThan(subjects.length);
    expect(inParts.maps).toEqual(atOnce.maps);
  });
});
