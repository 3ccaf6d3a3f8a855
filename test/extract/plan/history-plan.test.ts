import { expect, it } from "vitest";
import { type HistoryCosts, planHistory, sumCosts } from "../../../src/extract/plan/history-plan.ts";
import { computePace } from "../../../src/state/client/pace.ts";

let zones = 0;

function costs(
  exportSeconds: number,
  exportRequests: number,
  estimateWalkRequests: number | undefined,
): HistoryCosts {
  return {
    groupId: 1,
    kind: "music",
    export: { seconds: exportSeconds, requests: exportRequests, landings: 1 },
    walks: estimateWalkRequests === undefined ? undefined : new Map([[++zones, estimateWalkRequests]]),
  };
}

const slowExport = costs(600, 12, 40);

it.each<[string, HistoryCosts[], string[]]>([
  ["3 zones with much history", [costs(60, 3, 6000)], ["export"]],
  ["500 zones with little", [costs(40, 3, 500)], ["export"]],
  ["3 zones, a daily sync", [costs(60, 3, 3)], ["walk"]],
  ["a first sync", [costs(30, 6, undefined)], ["export"]],
  ["a slow export", [slowExport], ["walk"]],
  // Their walks take 360 s in sequence; their exports take 200 s in parallel.
  ["slow exports in parallel", Array.from({ length: 9 }, () => costs(200, 5, 40)), Array(9).fill("export")],
  ["one slow export among quick ones", [slowExport, costs(20, 3, 400)], ["walk", "export"]],
  [
    "failing exports",
    [{ ...costs(10, 3, 4000), forced: { way: "walk", why: "the service failed the last 3 exports" } }],
    ["walk"],
  ],
  [
    "an export in progress",
    [{ ...costs(600, 3, 3), forced: { way: "export", why: "under way" } }],
    ["export"],
  ],
])("%s", (_label, histories, ways) => {
  expect(planHistory(histories, "auto", computePace(1)).map(({ way }) => way)).toEqual(ways);
});

it("counts a zone of two groups once if the first group is walked", () => {
  const walk = { way: "walk", why: "the service failed the last 3 exports" } as const;
  const shared = { ...costs(10, 3, undefined), walks: new Map([[1, 40]]) };
  const costOf = (first: HistoryCosts) =>
    planHistory([first, { ...shared, groupId: 2, forced: walk }], "auto", computePace(1)).map(
      ({ cost }) => cost?.requests,
    );
  expect(costOf({ ...shared, forced: walk })).toEqual([40, 0]);
  expect(costOf({ ...shared, forced: { way: "export", why: "under way" } })).toEqual([3, 40]);
});

it.each(["export", "walk"] as const)("uses %s for everything on request", (mode) => {
  const plan = planHistory([slowExport, costs(1, 1, undefined)], mode, computePace(1));
  expect(plan.map(({ way }) => way)).toEqual([mode, mode]);
});

it("plans exports in parallel, each from its request, with everything else at the agreed rate", () => {
  const plan = planHistory(
    [costs(2, 3, undefined), costs(30, 3, undefined), costs(2, 3, 40)],
    "export",
    computePace(1),
  );
  const around = { first: 1, additional: 2 };
  // The second export is the third request.
  expect(sumCosts(plan, computePace(1), around)).toMatchObject({ requests: 12, seconds: 2 * 1.025 + 30 });
  expect(sumCosts(plan, computePace(0.2), around).seconds).toBeCloseTo(11 * 5.025, 6);
});
