import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Ask, createAsk } from "../../ask.ts";
import { startSmallEmulator } from "../../small-emulator.ts";

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

async function idsOf(ask: Ask, path: string): Promise<number[]> {
  return ((await ask.get(path)).body as Asset[]).map(({ asset_id: id }) => id);
}

describe.each(["signage", "messaging"])("%s", (kind) => {
  it.each([
    ["group", "group_id", "58429"],
    ["zone", "zone_id", "81001"],
  ])("an asset of a %s is uploaded, listed, archived", async (form, field, id) => {
    const emulator = await startSmallEmulator();
    const ask = await createAsk(emulator);
    const listing = `${kind}/assets/${form}?${field}=${id}`;
    const before = await idsOf(ask, listing);
    const fields = formOf({ [field]: id, name: "Poster", start_date: "2027-01-01", file });
    expect((await ask.upload(`${kind}/asset/${form}`, fields)).body).toBe(true);
    expect(emulator.requests.at(-1)?.inputs).toMatchObject({
      [field]: id,
      name: "Poster",
      file: {
        fileName: 'Poster "A" ü.png',
        contentType: "image/png",
        sizeBytes: file.size,
        sha256: createHash("sha256").update("some bytes\r\n--not the end").digest("hex"),
      },
    });
    const asset = ((await ask.get(listing)).body as Asset[]).at(-1);
    expect(asset).toMatchObject({ name: "Poster", start_date: "2027-01-01", end_date: "", duration: 15 });
    expect(before).not.toContain(asset?.asset_id);

    const named = { [field]: Number(id), asset_id: asset?.asset_id };
    expect((await ask.delete(`${kind}/asset/${form}`, named)).body).toBe(true);
    expect(await idsOf(ask, listing)).toEqual(before);
    expect((await ask.delete(`${kind}/asset/${form}`, named)).status).toBe(404);
  });
});

it("an archived asset leaves the campaigns that it was linked to", async () => {
  const ask = await createAsk(await startSmallEmulator());
  await ask.delete("signage/asset/group", { group_id: 58429, asset_id: 2 });
  const campaigns = (await ask.get("signage/campaigns/group?group_id=58429")).body;
  expect(campaigns).toMatchObject([
    { name: "Welcome Loop", assets: [{ asset_id: 1 }, { asset_id: 3 }] },
    {},
    {},
    {},
    {},
    {},
    {},
  ]);
  expect(await idsOf(ask, "signage/assets/zone?zone_id=81001")).not.toContain(2);
});

describe("what is refused", () => {
  const sound = { group_id: "58429", name: "Poster", file };
  it.each<[string, Record<string, string | Blob>, number]>([
    ["all there", sound, 200],
    ["no name", { group_id: "58429", file }, 400],
    ["no file", { group_id: "58429", name: "Poster" }, 400],
    ["text instead of a file", { ...sound, file: "text" }, 400],
    ["an empty file", { ...sound, file: new Blob([]) }, 400],
    ["no integer", { ...sound, group_id: "many" }, 400],
    ["no date", { ...sound, end_date: "tomorrow" }, 400],
    ["an unknown field", { ...sound, rrule: "FREQ=DAILY" }, 400],
    ["another's group", { ...sound, group_id: "58430" }, 403],
    ["an unknown group", { ...sound, group_id: "5" }, 404],
  ])("%s", async (_label, fields, status) => {
    const ask = await createAsk(await startSmallEmulator({ readableGroupIds: [58429] }));
    expect((await ask.upload("signage/asset/group", formOf(fields))).status).toBe(status);
  });

  it("JSON instead of a form", async () => {
    const ask = await createAsk(await startSmallEmulator());
    expect((await ask.post("signage/asset/group", sound)).status).toBe(400);
  });
});
