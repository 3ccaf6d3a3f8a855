import { describe, expect, it } from "vitest";
import { startSmallEmulator } from "../../small-emulator.ts";
import { createTestApi } from "../../test-api.ts";

interface Campaign {
  campaign_id: string;
  name: string;
  status: string;
  assets: { asset_id: number; name: string }[];
}

/** Zones 81001–81003 are in group 58429, 81003 and 81004 in 58430. */
async function scene(options = {}) {
  const emulator = await startSmallEmulator({ zones: 4, ...options });
  const api = await createTestApi(emulator);
  const list = async (path: string) => (await api.get(path)).body as Campaign[];
  const statusIn = async (zoneId: number, campaignId: number, kind = "signage") =>
    (await list(`${kind}/campaigns/zone?zone_id=${zoneId}`)).find(
      ({ campaign_id: id }) => id === String(campaignId),
    )?.status;
  return { emulator, api, list, statusIn };
}

describe.each(["signage", "messaging"])("%s", (kind) => {
  it("lists a group's campaigns in its zones, with the zone's own status", async () => {
    const { api, list, statusIn } = await scene();
    const ofGroup = await list(`${kind}/campaigns/group?group_id=58429`);
    expect(await list(`${kind}/campaigns/zone?zone_id=81001`)).toEqual(ofGroup);
    const both = await list(`${kind}/campaigns/zone?zone_id=81003`);
    expect(both.length).toBe(ofGroup.length + (await list(`${kind}/campaigns/group?group_id=58430`)).length);

    const named = { zone_id: 81001, campaign_id: 1 };
    expect((await api.post(`${kind}/campaign/disable`, named)).body).toBe(true);
    expect([await statusIn(81001, 1, kind), await statusIn(81002, 1, kind)]).toEqual(["disabled", "enabled"]);
    expect(await list(`${kind}/campaigns/group?group_id=58429`)).toEqual(ofGroup);
    expect((await api.post(`${kind}/campaign/enable`, named)).body).toBe(true);
    expect(await statusIn(81001, 1, kind)).toBe("enabled");
    expect((await api.post(`${kind}/campaign/play`, named)).body).toBe(true);
    expect(await statusIn(81001, 1, kind)).toBe("enabled");
  });
});

it("one of the world's campaigns can be archived and changed; history is unaffected", async () => {
  const { emulator, api, list, statusIn } = await scene();
  const query = { kind: "signage", groupId: 58429, visibleAt: emulator.now() } as const;
  const before = [...emulator.world.plays(query)];
  await api.delete("signage/campaign/remove_asset", { campaign_id: 1, asset_id: 2 });
  await api.delete("signage/campaign/group", { group_id: 58429, campaign_id: 2 });
  const [first, second] = await list("signage/campaigns/group?group_id=58429");
  expect(first?.assets.map(({ asset_id: id }) => id)).toEqual([1, 3]);
  expect(second?.name).toBe("Weekend Brunch");
  expect(await statusIn(81001, 2)).toBe(undefined);
  expect([...emulator.world.plays(query)]).toEqual(before);
});

it("a zone shows that its campaign is disabled", async () => {
  const { emulator, statusIn } = await scene();
  expect(await statusIn(81003, 3)).toBe("disabled");
  expect(await statusIn(81001, 3)).toBe("enabled");
  // A campaign disabled from one day on.
  const messaging = (date: string) => {
    emulator.setNow(new Date(date));
    return statusIn(81002, 7, "messaging");
  };
  expect([await messaging("2026-10-12"), await messaging("2026-10-14")]).toEqual(["enabled", "disabled"]);
});

describe("rejected requests", () => {
  const campaign = { group_id: 58429, name: "Spring" };
  it.each<[string, string, unknown, number]>([
    ["POST", "campaign/group", { ...campaign, start_date: "", rrule: "" }, 200],
    ["POST", "campaign/group", { ...campaign, rrule: "RRULE:FREQ=WEEKLY;BYDAY=MO" }, 200],
    ["POST", "campaign/group", { ...campaign, start_date: "2027-02-30" }, 400],
    ["POST", "campaign/group", { ...campaign, start_date: "2027-02-02", end_date: "2027-02-01" }, 400],
    ["POST", "campaign/group", { ...campaign, rrule: "every day" }, 400],
    ["POST", "campaign/group", { ...campaign, startDate: "2027-02-01" }, 400],
    ["POST", "campaign/group", { group_id: 58429 }, 400],
    ["POST", "campaign/group", { group_id: 58429, name: "" }, 400],
    ["POST", "campaign/group", { group_id: 58429, name: 7 }, 400],
    ["POST", "campaign/group", { ...campaign, group_id: "58429" }, 400],
    ["POST", "campaign/group", { ...campaign, group_id: 58430 }, 403],
    ["POST", "campaign/group", { ...campaign, group_id: 7 }, 404],
    ["POST", "campaign/zone", { zone_id: 81004, name: "Spring" }, 403],
    ["POST", "campaign/zone", { zone_id: 7, name: "Spring" }, 404],
    ["DELETE", "campaign/group", { group_id: 58429, campaign_id: "1" }, 400],
    ["DELETE", "campaign/group", { group_id: 58429, campaign_id: 8 }, 404],
    ["DELETE", "campaign/zone", { zone_id: 81001, campaign_id: 1 }, 404],
    ["DELETE", "campaign/zone", undefined, 400],
    ["POST", "campaign/enable", { zone_id: 81001 }, 400],
    ["POST", "campaign/enable", { zone_id: 81001, campaign_id: 8 }, 404],
    ["POST", "campaign/disable", { zone_id: 81004, campaign_id: 8 }, 403],
    ["POST", "campaign/play", { zone_id: 81001, campaign_id: 77 }, 404],
    ["POST", "campaign/add_asset", { campaign_id: 1 }, 400],
    ["POST", "campaign/add_asset", { campaign_id: 1, asset_id: 77 }, 404],
    ["POST", "campaign/add_asset", { campaign_id: 8, asset_id: 1 }, 404],
    ["POST", "campaign/add_asset", { campaign_id: 1, asset_id: 10 }, 404],
    ["DELETE", "campaign/remove_asset", { campaign_id: 1, asset_id: 4 }, 404],
    ["DELETE", "asset/group", { group_id: 58429, asset_id: 10 }, 404],
    ["DELETE", "asset/zone", { zone_id: 81001, asset_id: 1 }, 404],
  ])("%s %s %j: %i", async (method, path, body, status) => {
    const { api } = await scene({ readableGroupIds: [58429] });
    const url = `signage/${path}`;
    expect((await (method === "POST" ? api.post(url, body) : api.delete(url, body))).status).toBe(status);
  });
});
