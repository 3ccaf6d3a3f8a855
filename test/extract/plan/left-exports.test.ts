import { expect } from "vitest";
import { openWorkspace, planHere, syncHere } from "../../pipeline/sync-workspace.ts";
import { itEachSampled } from "../../support/long-suite.ts";
import { setUp } from "../../support/service.ts";

const options = { topics: ["history"], keepLandingDays: 7 } as const;

itEachSampled(
  [
    ["accepted an hour ago", 1, "j1", true],
    ["too old to be useful", 13, "j1", false],
    ["killed while it was requests for", 1, undefined, false],
  ] as readonly [string, number, string | undefined, boolean][],
  2,
)(
  "plans to resume an open export only if the sync can use it: %s",
  async ([_label, hours, jobId, isResumed]) => {
    const setup = await setUp({ days: 1, zones: 2, playScale: 0.1 });
    const workspace = openWorkspace(setup);
    const service = setup.environment.VENUE_BASE_URL ?? "";
    const find = async () => planHere(workspace, options).history.find(({ kind }) => kind === "music");
    const fresh = await find();
    const requestedAt = new Date(setup.emulator.now().getTime() - hours * 3_600_000);
    const { id } = workspace.state.exportJobs.begin(service, "music", fresh?.groupId ?? 0, requestedAt);
    if (jobId !== undefined) workspace.state.exportJobs.update(id, { state: "processing", jobId });
    const planned = await find();
    expect(planned?.why === "an export is in progress").toBe(isResumed);
    expect(planned?.cost?.requests).toBe((fresh?.cost?.requests ?? 0) - (isResumed ? 1 : 0));
    if (isResumed) return;
    await syncHere(setup, { ...options, mode: "export" });
    const requests = setup.emulator.requests.filter(({ path }) => path.endsWith("music/history/export"));
    expect(requests).toHaveLength(setup.emulator.world.groupIds.length);
  },
);
