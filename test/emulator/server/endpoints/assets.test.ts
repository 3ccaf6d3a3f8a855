import { describe, expect, it } from "vitest";
import { startSmallEmulator } from "../../small-emulator.ts";
import { createTestApi, type TestApi } from "../../test-api.ts";

interface Asset {
  asset_id: number;
  name: string;
}

function formOf(fields: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.set(name, value);
    else form.set(name, value, 'Poster "A" ü.png');
  }
  return form;
}

const file = new Blob([Buffer.from("some bytes\r\n--not the end")], { type: "image/png" });

async function idsOf(api: TestApi, path: string): Promise<number[]> {
  return ((await api.get(path)).body as Asset[]).map(({ asset_id: id }) => id);
}

describe.each(["signage", "messaging"])("%s", (kind) => {
  it.each([
    ["group", "group_id", "58429"],
    ["zone", "zone_id", "81001"],
  ])("uploads, lists and archives a %s's asset", async (form, field, id) => {
    const api = await createTestApi(await startSmallEmulator());
    const listing = `${kind}/assets/${form}?${field}=${id}`;
    const before = await idsOf(api, listing);
    const fields = formOf({ [field]: id, name: "Poster", start_date: "2027-01-01", file });
    expect((await api.upload(`${kind}/asset/${form}`, fields)).body).toBe(true);
    const asset = ((await api.get(listing)).body as Asset[]).at(-1);
    expect(asset).toMatchObject({ name: "Poster", start_date: "2027-01-01", end_date: "", duration: 15 });
    expect(before).not.toContain(asset?.asset_id);

    const named = { [field]: Number(id), asset_id: asset?.asset_id };
    expect((await api.delete(`${kind}/asset/${form}`, named)).body).toBe(true);
    expect(await idsOf(api, listing)).toEqual(before);
    expect((await api.delete(`${kind}/asset/${form}`, named)).status).toBe(404);
  });
});

it("an archived asset is removed from its campaigns", async () => {
  const api = await createTestApi(await startSmallEmulator());
  await api.delete("signage/asset/group", { group_id: 58429, asset_id: 2 });
  const campaigns = (await api.get("signage/campaigns/group?group_id=58429")).body;
  expect(campaigns).toMatchObject([
    { name: "Welcome Loop", assets: [{ asset_id: 1 }, { asset_id: 3 }] },
    {},
    {},
    {},
    {},
    {},
    {},
  ]);
  expect(await idsOf(api, "signage/assets/zone?zone_id=81001")).not.toContain(2);
});

describe("rejected requests", () => {
  const sound = { group_id: "58429", name: "Poster", file };
  it.each<[string, Record<string, string | Blob>, number]>([
    ["complete", sound, 200],
    ["no name", { group_id: "58429", file }, 400],
    ["no file", { group_id: "58429", name: "Poster" }, 400],
    ["text instead of a file", { ...sound, file: "text" }, 400],
    ["an empty file", { ...sound, file: new Blob([]) }, 400],
    ["not an integer", { ...sound, group_id: "many" }, 400],
    ["not a date", { ...sound, end_date: "tomorrow" }, 400],
    ["an unknown field", { ...sound, rrule: "FREQ=DAILY" }, 400],
    ["another's group", { ...sound, group_id: "58430" }, 403],
    ["an unknown group", { ...sound, group_id: "5" }, 404],
  ])("%s", async (_label, fields, status) => {
    const api = await createTestApi(await startSmallEmulator({ readableGroupIds: [58429] }));
    expect((await api.upload("signage/asset/group", formOf(fields))).status).toBe(status);
  });

  it("JSON instead of a form", async () => {
    const api = await createTestApi(await startSmallEmulator());
    expect((await api.post("signage/asset/group", sound)).status).toBe(400);
  });
});
