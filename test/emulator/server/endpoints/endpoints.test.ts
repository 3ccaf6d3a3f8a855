import { expect, it } from "vitest";
import { createAsk, readAnswer } from "../../ask.ts";
import { startSmallEmulator } from "../../small-emulator.ts";

const content = ["messaging", "signage"].flatMap((kind) => [
  `GET ${kind}/campaigns/group`,
  `GET ${kind}/campaigns/zone`,
  `POST ${kind}/campaign/group`,
  `POST ${kind}/campaign/zone`,
  `DELETE ${kind}/campaign/group`,
  `DELETE ${kind}/campaign/zone`,
  `POST ${kind}/campaign/enable`,
  `POST ${kind}/campaign/disable`,
  `POST ${kind}/campaign/play`,
  `POST ${kind}/campaign/add_asset`,
  `DELETE ${kind}/campaign/remove_asset`,
  `GET ${kind}/assets/group`,
  `GET ${kind}/assets/zone`,
  `POST ${kind}/asset/group`,
  `POST ${kind}/asset/zone`,
  `DELETE ${kind}/asset/group`,
  `DELETE ${kind}/asset/zone`,
]);

/** All of the main API that have required inputs in their query or body. */
const demanding = [
  "GET devices/status",
  "GET devices/screenshots",
  "POST devices/reboot",
  "GET music/now_playing",
  "POST music/skip",
  "POST music/start",
  "POST music/stop",
  "POST music/volume",
  "POST zones/81001/playlists/override",
  ...content,
  ...["signage", "music", "messaging"].flatMap((kind) => [
    `GET data/${kind}/history`,
    `POST data/${kind}/history/export`,
  ]),
];

it("each endpoint of the main API is there, and asks for its inputs", async () => {
  const ask = await createAsk(await startSmallEmulator());
  // Of the 54, five have inputs in their path alone.
  expect(demanding.length).toBe(49);
  for (const endpoint of demanding) {
    const [method, path = ""] = endpoint.split(" ");
    const answer =
      method === "GET"
        ? await ask.get(path)
        : await (method === "POST" ? ask.post(path, {}) : ask.delete(path, {}));
    expect([endpoint, answer.status], JSON.stringify(answer.body)).toEqual([endpoint, 400]);
  }
  expect((await ask.get("zones/81001/playlists")).status).toBe(200);
  expect((await ask.get("zones/81001/playlists/override")).status).toBe(200);
  expect((await ask.delete("zones/81001/playlists/override")).status).toBe(200);
  for (const [answer, code] of [
    [await ask.delete("zones/81001/playlists/override/1"), "unknown_override"],
    [await ask.get("data/history/exports/1"), "unknown_job"],
  ] as const) {
    expect(answer).toMatchObject({ status: 404, body: { error: { code } } });
  }
});

it("each endpoint of the status API is there", async () => {
  const { statusUrl } = await startSmallEmulator();
  const ask = async (path: string) => await readAnswer(await fetch(`${statusUrl}/api/v1/${path}`));
  const { notices } = (await ask("notices")).body as { notices: { id: number }[] };
  for (const path of ["status", "components", `notices/${notices[0]?.id}`]) {
    expect((await ask(path)).status).toBe(200);
  }
});
