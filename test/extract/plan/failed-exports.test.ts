import { expect, it, onTestFinished, vi } from "vitest";
import { openWorkspace, planHere, syncHere } from "../../pipeline/sync-workspace.ts";
import { setUp } from "../../support/service.ts";

const hourMs = 3_600_000;
const options = { topics: ["history"], keepLandingDays: 7 } as const;

it("walks for 20 hours after three failed exports, for 40 after three more, then plans as usual", async () => {
  onTestFinished(() => void vi.useRealTimers());
  const setup = await setUp({ days: 2, zones: 2, playScale: 0.1 });
  await syncHere(setup, { ...options, topics: ["devices"] });
  vi.useFakeTimers({ toFake: ["Date"] });
  const workspace = openWorkspace(setup);
  const service = setup.environment.VENUE_BASE_URL ?? "";
  const fail = (count: number) => {
    for (let failure = 1; failure <= count; failure += 1) {
      const { id } = workspace.state.exportJobs.begin(service, "music", 58429, new Date());
      workspace.state.exportJobs.update(id, { state: "failed", error: "out of memory" });
    }
  };
  const wayAfter = async (hours: number) => {
    vi.setSystemTime(Date.now() + hours * hourMs);
    const { history } = planHere(workspace, options);
    return history.find(({ kind, groupId }) => kind === "music" && groupId === 58429)?.why;
  };
  fail(2);
  expect(await wayAfter(0)).not.toContain("failed");
  fail(1);
  expect(await wayAfter(1)).toBe("the service failed the last 3 exports");
  expect(await wayAfter(23)).not.toContain("failed");
  fail(3);
  expect(await wayAfter(24)).toBe("the service failed the last 6 exports");
  expect(await wayAfter(24)).not.toContain("failed");
});
