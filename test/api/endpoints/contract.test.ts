import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { listVariants, toServiceName } from "../../../src/api/endpoints/call-endpoint.ts";
import type { Endpoint } from "../../../src/api/endpoints/endpoint.ts";
import { endpoints, statusEndpoints } from "../../../src/api/endpoints/endpoints.ts";
import { createStatusClient, createVenueClient } from "../../../src/api/venue-analytics.ts";
import { resources } from "../../../src/cli/api/actions.ts";
import { expandFlagKeys } from "../../../src/cli/api/flags.ts";
import { runProgram } from "../../../src/cli/program.ts";
import { kinds } from "../../../src/util/kind.ts";
import { isAll } from "../../support/long-suite.ts";
import { type Setup, setUp } from "../../support/service.ts";

interface Documented {
  api: "main" | "status";
  method: string;
  path: string;
}

const documented: Documented[] = JSON.parse(
  readFileSync(new URL("../../fixtures/interface-endpoints.json", import.meta.url), "utf8"),
);

/** An endpoint with the client's method and the command that request it. */
interface Reach {
  endpoint: Endpoint;
  group: string;
  method: string;
  command: string;
  /** Inputs that the command's name implies. */
  implied: Record<string, string>;
}

const commands: Record<string, string> = {
  "music.setVolume": "music volume",
  "playlists.page": "playlists list",
  "exports.create": "history export",
  "exports.get": "history export-job",
};

const reaches: Record<string, Reach> = Object.fromEntries(
  Object.entries({ ...endpoints, status: statusEndpoints }).flatMap(([group, methods]) =>
    Object.entries<Endpoint>(methods).flatMap(([name, endpoint]) =>
      listVariants(name, endpoint).flatMap(([method, concrete]) => {
        const action = name
          .replace(/(Of|To|Page)$/, "")
          .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
        const command = commands[`${group}.${name}`] ?? `${group} ${action}`;
        const root = group === "status" ? "/api/v1/" : "ext/";
        const path = concrete.path.replace(/\{(\w+)\}/g, (_, key) => `{${toServiceName(key)}}`);
        const reach = { endpoint: concrete, group, method, command, implied: {} };
        if (!path.includes("{kind}")) return [[`${concrete.method} ${root}${path}`, reach]];
        return kinds.map((kind) => [
          `${concrete.method} ${root}${path.replace("{kind}", kind)}`,
          group === "history" ? { ...reach, command: `history ${kind}`, implied: { kind } } : reach,
        ]);
      }),
    ),
  ),
);

const [groupId, zoneId] = [58429, 81001];

async function createScene() {
  const setup = await setUp({ days: 2, zones: 4, playScale: 0.1 });
  const { emulator, workingFolder } = setup;
  const stateFile = join(workingFolder, "home", "client.db");
  const { clientId, clientSecret, baseUrl, statusUrl } = emulator;
  const client = createVenueClient({
    baseUrl,
    credentials: { clientId, clientSecret },
    ratePerSecond: 500,
    stateFile,
  });
  const status = createStatusClient({ statusUrl, stateFile });
  onTestFinished(async () => {
    await client.close();
    await status.close();
  });
  const file = join(workingFolder, "asset.png");
  writeFileSync(file, "\x89PNG\r\n\x1a\n", "latin1");
  return { setup, client, status, emulator, file };
}

type Scene = Awaited<ReturnType<typeof createScene>>;

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Values for an endpoint's parameters. What they refer to is created first. */
async function createInputs(scene: Scene, { endpoint, group, method }: Reach, kind: string) {
  const { client, status, emulator, file } = scene;
  const inputs: Record<string, string | number> = {};
  const keys = endpoint.parameters.replaceAll("?", "").split(" ");
  const content = client[group === "messaging" ? "messaging" : "signage"];
  const isOfGroup = keys.includes("groupId") || !keys.includes("zoneId");
  const values: Record<string, () => Promise<string | number> | string | number> = {
    groupId: () => groupId,
    zoneId: () => zoneId,
    volume: () => 40,
    durationMinutes: () => 30,
    kind: () => kind,
    name: () => "New",
    file: () => file,
    startDate: () => "2026-03-01",
    endDate: () => "2026-03-31",
    rrule: () => "FREQ=WEEKLY;BYDAY=SA,SU",
    playlistId: async () => (await client.playlists.page({ zoneId })).data[0]?.playlist_id ?? -1,
    overrideId: async () => {
      const playlistId = (await client.playlists.page({ zoneId })).data[0]?.playlist_id ?? -1;
      await client.playlists.override({ zoneId, playlistId, durationMinutes: 30 });
      // No response contains the id; the emulator numbers overrides from 1.
      return emulator.overrides[0]?.overrideId ?? -1;
    },
    campaignId: async () => {
      const name = "Of a test";
      await (isOfGroup
        ? content.createCampaignOfGroup({ groupId, name })
        : content.createCampaignOfZone({ zoneId, name }));
      const listed = isOfGroup ? content.campaignsOfGroup({ groupId }) : content.campaignsOfZone({ zoneId });
      return Number((await collect(listed)).find((campaign) => campaign.name === name)?.campaign_id);
    },
    assetId: async () => {
      const name = "Of a test";
      await (isOfGroup
        ? content.uploadAssetToGroup({ groupId, name, file })
        : content.uploadAssetToZone({ zoneId, name, file }));
      const listed = isOfGroup ? content.assetsOfGroup({ groupId }) : content.assetsOfZone({ zoneId });
      return Number((await collect(listed)).find((asset) => asset.name === name)?.asset_id);
    },
    jobId: async () => (await client.exports.create({ kind: "music", groupId })).job_id,
    id: async () => (await status.noticesPage()).records[0]?.id ?? -1,
  };
  for (const key of keys) {
    const value = await values[key]?.();
    if (value !== undefined) inputs[key] = value;
  }
  if (method === "removeAsset") await content.addAsset(inputs as { campaignId: number; assetId: number });
  return inputs;
}

/** Successful requests since an instant that match the endpoint's method and path. */
function reached({ emulator }: Scene, { api, method, path }: Documented, since: number): number {
  const pattern = path.replace(/\{\w+\}/g, "[^/]+").replace(/^\//, "");
  const expected = new RegExp(`^/${api === "main" ? "v5" : "status"}/${pattern}$`);
  return emulator.requests
    .slice(since)
    .filter((request) => request.method === method && expected.test(request.path) && request.status === 200)
    .length;
}

async function run(args: readonly string[], { environment, workingFolder }: Setup, input = "") {
  let [stdout, stderr] = ["", ""];
  const write = (take: (text: string) => void) =>
    new Writable({
      write(chunk, _encoding, done) {
        take(String(chunk));
        done();
      },
    });
  const code = await runProgram(args, {
    stdout: write((text) => {
      stdout += text;
    }),
    stderr: write((text) => {
      stderr += text;
    }),
    stdin: Readable.from([input]),
    environment,
    workingFolder,
  });
  return { code, stdout, stderr };
}

it("the table has every documented endpoint, except those for secrets and tokens", () => {
  const lines = documented.map(({ method, path }) => `${method} ${path}`);
  expect(lines).toHaveLength(60);
  expect(Object.keys(reaches).sort()).toEqual(lines.filter((line) => !line.includes("api-clients/")).sort());
});

/** `make test` requests each endpoint in one form: music's as text, others as JSON. */
const formsOf = ({ path }: Documented) =>
  isAll ? [[], ["--json"]] : path.includes("music") ? [[]] : [["--json"]];

describe.each(documented.filter(({ path }) => !path.startsWith("api-clients/")))(
  "$method $path",
  (endpoint) => {
    const reach = reaches[`${endpoint.method} ${endpoint.path}`] as Reach;
    const kind = endpoint.path.split("/")[2] ?? "";
    const forms = formsOf(endpoint);

    it("has a client method that requests it and accepts the response", async () => {
      const scene = await createScene();
      const inputs = await createInputs(scene, reach, kind);
      const since = scene.emulator.requests.length;
      // biome-ignore lint/suspicious/noExplicitAny: the table of endpoints has the types
      const methods: any = reach.group === "status" ? scene.status : scene.client[reach.group as "music"];
      const answer = await methods[reach.method](inputs);
      if (typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer) {
        expect((await collect(answer as AsyncIterable<unknown>)).length).toBeGreaterThan(0);
      }
      expect(reached(scene, endpoint, since)).toBe(1);
    });

    it("has a command with text and JSON output", async () => {
      for (const form of forms) {
        const scene = await createScene();
        const inputs = Object.entries(await createInputs(scene, reach, kind));
        const flags = expandFlagKeys(reach.endpoint.parameters);
        const args = inputs
          .filter(([key]) => !(key in reach.implied))
          .flatMap(([key, value]) => [`--${flags[key]?.name}`, String(value)]);
        const since = scene.emulator.requests.length;
        const changes = endpoint.method === "GET" ? [] : ["--yes"];
        const words = ["api", ...reach.command.split(" "), ...args, ...changes, ...form];
        const { code, stdout, stderr } = await run(words, scene.setup);
        expect(stderr).toBe("");
        expect(code).toBe(0);
        expect(reached(scene, endpoint, since)).toBe(1);
        if (form.length > 0) expect(JSON.parse(stdout)).toBeDefined();
        else expect(stdout).not.toBe("");
      }
    });
  },
);

it("the secret and tokens are requested by the client, `venue login` and any first command", async () => {
  const scene = await createScene();
  const { apiClients } = scene.client;
  const { clientSecret, oneTimeCode } = scene.emulator;
  expect(await apiClients.retrieveSecret({ oneTimeCode })).toBe(clientSecret);
  expect(await apiClients.requestToken({ clientSecret })).toMatchObject({ accessToken: expect.any(String) });
  const { setup, emulator } = await createScene();
  expect((await run(["login"], setup, emulator.oneTimeCode)).code).toBe(0);
  expect((await run(["api", "devices", "status", "--group-id", String(groupId)], setup)).code).toBe(0);
  const paths = emulator.requests.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`);
  expect(paths).toEqual(expect.arrayContaining(["GET secret", "POST token"]));
});

it("the only other action is the file download", () => {
  const reachable = new Set(Object.values(reaches).map(({ command }) => command));
  const actions = resources.flatMap(({ name, actions }) => actions.map((action) => `${name} ${action.name}`));
  expect(actions.filter((action) => !reachable.has(action))).toEqual(["history download"]);
});

it("every action has a one-line help text and a valid example", async () => {
  const setup = await setUp({ days: 1, zones: 2, playScale: 0.1 });
  for (const resource of resources) {
    for (const action of resource.actions) {
      const words = ["api", resource.name, action.name];
      const { stdout, code } = await run([...words, "--help"], setup);
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: venue ${words.join(" ")}`);
      expect(stdout).toContain(action.summary.split(" ").slice(0, 4).join(" "));
      const flags = Object.values(expandFlagKeys(action.flags));
      for (const { name } of flags) expect(stdout).toContain(`--${name}`);
      const [, example = ""] = stdout.split(`Example:\n  $ venue ${words.join(" ")}`);
      const shown = example.match(/--(?!yes\b)[a-z-]+/g) ?? [];
      expect(flags.map(({ name }) => `--${name}`)).toEqual(expect.arrayContaining(shown));
      const needed = flags.filter(({ isRequired }) => isRequired);
      expect(shown).toEqual(expect.arrayContaining(needed.map(({ name }) => `--${name}`)));
    }
  }
  const { stdout } = await run(["api", "playlists", "overrides", "--help"], setup);
  expect(stdout).toMatch(/overrides without ids, so --override-id of remove-override must come from another/);
});
