import { expect } from "vitest";
import { formatNames } from "../../src/report/formats.ts";
import { itInAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";

itInAll(
  "reports compliance from the service's listings, explains a campaign day, and fails below a threshold",
  async () => {
    const setup = await setUp({ days: 5, zones: 2, playScale: 0.2 });
    for (const words of [["sync", "devices", "history", "campaigns"], ["build"]]) {
      const { code, stderr } = await runVenue(words, setup);
      expect(code, stderr).toBe(0);
    }
    const report = (...words: string[]) => runVenue(["report", "compliance", ...words], setup);

    const cells = await report("--by", "campaign,zone,date", "--format", "json");
    const rows: Record<string, string | number>[] = JSON.parse(cells.stdout);
    expect(rows.length).toBeGreaterThan(20);
    const compliant = rows.find((row) => row.compliant_days === 1);
    const { kind, campaign_id, zone_id, date } = compliant ?? {};

    const words = ["--kind", kind, "--campaign", campaign_id, "--zone", zone_id, "--date", date].map(String);
    const explained = await report("--explain", ...words, "--format", "csv");
    expect(explained.code, explained.stderr).toBe(0);
    expect(explained.stdout).toMatch(
      /^states,compliant,"yes, this applies",means: at least one candidate play/m,
    );

    const missed = await report("--by", "campaign", "--only", "missed", "--format", "json");
    for (const { missed_days } of JSON.parse(missed.stdout)) expect(missed_days).toBeGreaterThan(0);

    expect((await report("--fail-under", "0")).code).toBe(0);
    const failing = await report("--by", "zone,date", "--fail-under", "1");
    expect(failing.code).toBe(1);
    expect(failing.stderr).toMatch(/\d+ of \d+ rows are below 1 or have no compliance/);
    const one = await report("--fail-under", "1");
    expect(one.stderr).toMatch("warning: 1 of 1 row is below 1 or has no compliance.");
    for (const format of formatNames) {
      const { code, stderr } = await report("--by", "zone,date", "--fail-under", "1", "--format", format);
      expect([format, code, stderr]).toEqual([format, 1, failing.stderr]);
    }

    const before = ["--from", "2020-01-01", "--to", "2020-01-02"];
    const nothing = await report("--by", "campaign", ...before, "--fail-under", "0");
    expect(nothing.code).toBe(1);
    expect(nothing.stderr).toContain("No row has a compliance to compare with 0.");

    // No compliance below the threshold, so no row is shown.
    const ran = ["--zone", String(zone_id), "--from", String(date), "--to", String(date)];
    const ofCampaign = ["--kind", String(kind), "--campaign", String(campaign_id), ...ran];
    for (const state of ["missed", "closed", "compliant"]) {
      const result = await report("--by", "campaign", ...ofCampaign, "--only", state, "--fail-under", "1");
      expect([state, result.code, result.stderr.includes("no row")]).toEqual([state, 0, false]);
    }
    expect((await report("--by", "campaign", ...before, "--only", "missed", "--fail-under", "0")).code).toBe(
      1,
    );

    expect(JSON.parse((await report("--by", "campaign", "--json")).stdout)).toEqual(
      JSON.parse((await report("--by", "campaign", "--format", "json")).stdout),
    );

    for (const wrong of [
      ["--explain"],
      ["--date", "2026-10-01"],
      ["--only", "late"],
      ["--fail-under", "95"],
    ]) {
      expect((await report(...wrong)).code, wrong.join(" ")).toBe(2);
    }
    const misplaced = await runVenue(["report", "plays", "--explain", ...words], setup);
    expect(misplaced.code).toBe(2);
  },
);
