import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createStatusClient,
  createVenueClient,
  type StatusClient,
  type VenueClient,
} from "../../../src/api/venue-analytics.ts";
import { resources } from "../../../src/cli/api/actions.ts";
import { expandFlagKeys, toFlagName } from "../../../src/cli/api/flags.ts";
import { runProgram } from "../../../src/cli/program.ts";
import type { Emulator } from "../../../src/emulator/emulator.ts";
import { kinds } from "../../../src/util/kind.ts";
import { type Setup, setUp } from "../../support/service.ts";

interface Endpoint {
  api: "main" | "status";
  method: string;
  path: string;
}

const endpoints: Endpoint[] = JSON.parse(
  readFileSync(new URL("../../fixtures/interface-endpoints.json", import.meta.url), "utf8"),
);

type Inputs = Record<string, string | number | boolean>;

interface Reach {
  /** Arguments, by the client's names. */
  inputs: (scene: Scene) => Inputs | Promise<Inputs>;
  client: (scene: Scene, inputs: never) => unknown;
  /** Words after `venue`; flags follow from the inputs. */
  command: string;
}

const [groupId, zoneId] = [58429, 81001];
const inZone = () => ({ zoneId });
const inGroup = () => ({ groupId });
const owned = { group: inGroup, zone: inZone };
const content = ["messaging", "signage"] as const;

/** A service with its own state, and a client for it. */
interface Scene {
  setup: Setup;
  client: VenueClient;
  status: StatusClient;
  emulator: Emulator;
  campaignId(kind: "messaging" | "signage", owner: "group" | "zone"): Promise<number>;
  assetId(kind: "messaging" | "signage", owner: "group" | "zone"): Promise<number>;
  file(): string;
}

async function createScene(): Promise<Scene> {
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
  const file = () => {
    const path = join(workingFolder, "asset.png");
    writeFileSync(path, "\x89PNG\r\n\x1a\n", "latin1");
    return path;
  };
  return {
    setup,
    client,
    status,
    emulator,
    file,
    async campaignId(kind, owner) {
      const campaigns = client[kind];
      if (owner === "group") await campaigns.createCampaignOfGroup({ groupId, name: "Of a test" });
      else await campaigns.createCampaignOfZone({ zoneId, name: "Of a test" });
      const listed =
        owner === "group" ? campaigns.campaignsOfGroup({ groupId }) : campaigns.campaignsOfZone({ zoneId });
      const found = (await collect(listed)).find(({ name }) => name === "Of a test");
      return Number(found?.campaign_id);
    },
    async assetId(kind, owner) {
      const assets = client[kind];
      if (owner === "group") await assets.uploadAssetToGroup({ groupId, name: "Of a test", file: file() });
      else await assets.uploadAssetToZone({ zoneId, name: "Of a test", file: file() });
      const listed = owner === "group" ? assets.assetsOfGroup({ groupId }) : assets.assetsOfZone({ zoneId });
      return Number((await collect(listed)).find(({ name }) => name === "Of a test")?.asset_id);
    },
  };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function reach<Given extends Inputs>(
  command: string,
  inputs: (scene: Scene) => Given | Promise<Given>,
  client: (scene: Scene, inputs: Given) => unknown,
): Reach {
  return { command, inputs, client };
}

async function playlistOf({ client }: Scene): Promise<number> {
  return (await client.playlists.page({ zoneId })).data[0]?.playlist_id ?? -1;
}

const reaches: Record<string, Reach> = {
  "GET ext/devices/status": reach("api devices status", inGroup, ({ client }, i) => client.devices.status(i)),
  "GET ext/devices/screenshots": reach("api devices screenshots", inZone, ({ client }, i) =>
    client.devices.screenshots(i),
  ),
  "POST ext/devices/reboot": reach("api devices reboot", inZone, ({ client }, i) => client.devices.reboot(i)),
  "GET ext/music/now_playing": reach("api music now-playing", inZone, ({ client }, i) =>
    client.music.nowPlaying(i),
  ),
  "POST ext/music/skip": reach("api music skip", inZone, async ({ client }, i) => {
    await client.music.skip(i);
  }),
  "POST ext/music/start": reach("api music start", inZone, ({ client }, i) => client.music.start(i)),
  "POST ext/music/stop": reach("api music stop", inZone, ({ client }, i) => client.music.stop(i)),
  "POST ext/music/volume": reach(
    "api music volume",
    () => ({ zoneId, volume: 40 }),
    ({ client }, i) => client.music.setVolume(i),
  ),
  "GET ext/zones/{zone_id}/playlists": reach("api playlists list", inZone, ({ client }, i) =>
    client.playlists.page(i),
  ),
  "GET ext/zones/{zone_id}/playlists/override": reach("api playlists overrides", inZone, ({ client }, i) =>
    client.playlists.overridesPage(i),
  ),
  "POST ext/zones/{zone_id}/playlists/override": reach(
    "api playlists override",
    async (scene) => ({ zoneId, playlistId: await playlistOf(scene), durationMinutes: 30 }),
    ({ client }, i) => client.playlists.override(i),
  ),
  "DELETE ext/zones/{zone_id}/playlists/override": reach(
    "api playlists clear-overrides",
    inZone,
    ({ client }, i) => client.playlists.clearOverrides(i),
  ),
  "DELETE ext/zones/{zone_id}/playlists/override/{override_id}": reach(
    "api playlists remove-override",
    async (scene) => {
      const playlistId = await playlistOf(scene);
      await scene.client.playlists.override({ zoneId, playlistId, durationMinutes: 30 });
      // No response contains the id; the emulator numbers overrides from 1.
      return { zoneId, overrideId: scene.emulator.overrides[0]?.overrideId ?? -1 };
    },
    ({ client }, i) => client.playlists.removeOverride(i),
  ),
  ...Object.assign({}, ...content.map(contentReaches)),
  ...Object.assign({}, ...kinds.map(historyReaches)),
  "GET ext/data/history/exports/{job_id}": reach(
    "api history export-job",
    async ({ client }) => ({ jobId: (await client.exports.create({ kind: "music", groupId })).job_id }),
    ({ client }, i) => client.exports.get(i),
  ),
  "GET api-clients/{client_id}/secret": reach(
    "login",
    () => ({}),
    ({ client, emulator }) => client.apiClients.retrieveSecret({ oneTimeCode: emulator.oneTimeCode }),
  ),
  // Each command requests its own token.
  "POST api-clients/token": reach("api devices status", inGroup, ({ client, emulator }) =>
    client.apiClients.requestToken({ clientSecret: emulator.clientSecret }),
  ),
  "GET /api/v1/status": reach(
    "api status page",
    () => ({}),
    ({ status }) => status.page(),
  ),
  "GET /api/v1/components": reach(
    "api status components",
    () => ({}),
    ({ status }) => status.componentsPage({}),
  ),
  "GET /api/v1/notices": reach(
    "api status notices",
    () => ({}),
    ({ status }) => status.noticesPage({}),
  ),
  "GET /api/v1/notices/{id}": reach(
    "api status notice",
    async ({ status }) => ({ id: (await status.noticesPage({})).records[0]?.id ?? -1 }),
    ({ status }, i) => status.notice(i),
  ),
};

function contentReaches(kind: "messaging" | "signage"): Record<string, Reach> {
  const linked = async (scene: Scene) => ({
    campaignId: await scene.campaignId(kind, "group"),
    assetId: await scene.assetId(kind, "group"),
  });
  const campaignInZone = async (scene: Scene) => ({
    zoneId,
    campaignId: await scene.campaignId(kind, "zone"),
  });
  const named = { name: "New", startDate: "2026-03-01", endDate: "2026-03-31" };
  const rrule = "FREQ=WEEKLY;BYDAY=SA,SU";
  return {
    [`GET ext/${kind}/campaigns/group`]: reach(`api ${kind} campaigns`, owned.group, ({ client }, i) =>
      client[kind].campaignsOfGroup(i),
    ),
    [`GET ext/${kind}/campaigns/zone`]: reach(`api ${kind} campaigns`, owned.zone, ({ client }, i) =>
      client[kind].campaignsOfZone(i),
    ),
    [`POST ext/${kind}/campaign/group`]: reach(
      `api ${kind} create-campaign`,
      () => ({ groupId, ...named, rrule }),
      ({ client }, i) => client[kind].createCampaignOfGroup(i),
    ),
    [`POST ext/${kind}/campaign/zone`]: reach(
      `api ${kind} create-campaign`,
      () => ({ zoneId, ...named, rrule }),
      ({ client }, i) => client[kind].createCampaignOfZone(i),
    ),
    [`DELETE ext/${kind}/campaign/group`]: reach(
      `api ${kind} archive-campaign`,
      async (scene) => ({ groupId, campaignId: await scene.campaignId(kind, "group") }),
      ({ client }, i) => client[kind].archiveCampaignOfGroup(i),
    ),
    [`DELETE ext/${kind}/campaign/zone`]: reach(
      `api ${kind} archive-campaign`,
      campaignInZone,
      ({ client }, i) => client[kind].archiveCampaignOfZone(i),
    ),
    [`POST ext/${kind}/campaign/enable`]: reach(
      `api ${kind} enable-campaign`,
      campaignInZone,
      ({ client }, i) => client[kind].enableCampaign(i),
    ),
    [`POST ext/${kind}/campaign/disable`]: reach(
      `api ${kind} disable-campaign`,
      campaignInZone,
      ({ client }, i) => client[kind].disableCampaign(i),
    ),
    [`POST ext/${kind}/campaign/play`]: reach(`api ${kind} play-campaign`, campaignInZone, ({ client }, i) =>
      client[kind].playCampaign(i),
    ),
    [`POST ext/${kind}/campaign/add_asset`]: reach(`api ${kind} add-asset`, linked, ({ client }, i) =>
      client[kind].addAsset(i),
    ),
    [`DELETE ext/${kind}/campaign/remove_asset`]: reach(
      `api ${kind} remove-asset`,
      async (scene) => {
        const ids = await linked(scene);
        await scene.client[kind].addAsset(ids);
        return ids;
      },
      ({ client }, i) => client[kind].removeAsset(i),
    ),
    [`GET ext/${kind}/assets/group`]: reach(`api ${kind} assets`, owned.group, ({ client }, i) =>
      client[kind].assetsOfGroup(i),
    ),
    [`GET ext/${kind}/assets/zone`]: reach(`api ${kind} assets`, owned.zone, ({ client }, i) =>
      client[kind].assetsOfZone(i),
    ),
    [`POST ext/${kind}/asset/group`]: reach(
      `api ${kind} upload-asset`,
      (scene) => ({ groupId, ...named, file: scene.file() }),
      ({ client }, i) => client[kind].uploadAssetToGroup(i),
    ),
    [`POST ext/${kind}/asset/zone`]: reach(
      `api ${kind} upload-asset`,
      (scene) => ({ zoneId, ...named, file: scene.file() }),
      ({ client }, i) => client[kind].uploadAssetToZone(i),
    ),
    [`DELETE ext/${kind}/asset/group`]: reach(
      `api ${kind} archive-asset`,
      async (scene) => ({ groupId, assetId: await scene.assetId(kind, "group") }),
      ({ client }, i) => client[kind].archiveAssetOfGroup(i),
    ),
    [`DELETE ext/${kind}/asset/zone`]: reach(
      `api ${kind} archive-asset`,
      async (scene) => ({ zoneId, assetId: await scene.assetId(kind, "zone") }),
      ({ client }, i) => client[kind].archiveAssetOfZone(i),
    ),
  };
}

function historyReaches(kind: (typeof kinds)[number]): Record<string, Reach> {
  return {
    [`GET ext/data/${kind}/history`]: reach(`api history ${kind}`, inZone, ({ client }, i) =>
      client.history.page({ kind, ...i }),
    ),
    [`POST ext/data/${kind}/history/export`]: reach(
      "api history export",
      () => ({ kind, groupId }),
      ({ client }, i) => client.exports.create(i),
    ),
  };
}

/** Successful requests since an instant that match the endpoint's method and path. */
function reached({ emulator }: Scene, { api, method, path }: Endpoint, since: number): number {
  const pattern = path.replace(/\{\w+\}/g, "[^/]+").replace(/^\//, "");
  const expected = new RegExp(`^/${api === "main" ? "v5" : "status"}/${pattern}$`);
  return emulator.requests
    .slice(since)
    .filter((request) => request.method === method && expected.test(request.path) && request.status === 200)
    .length;
}

function toFlag(key: string): string {
  return key === "durationMinutes" ? "--duration" : toFlagName(key);
}

async function run(args: readonly string[], { environment, workingFolder }: Setup, input: string) {
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

describe.each(endpoints)("$method $path", (endpoint) => {
  const way = reaches[`${endpoint.method} ${endpoint.path}`];

  it("has a client method that requests it and accepts the response", async () => {
    expect(way, "no method is called for this endpoint").toBeDefined();
    if (!way) return;
    const scene = await createScene();
    const inputs = await way.inputs(scene);
    const since = scene.emulator.requests.length;
    const answer = await way.client(scene, inputs as never);
    if (typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer) {
      expect((await collect(answer as AsyncIterable<unknown>)).length).toBeGreaterThan(0);
    }
    expect(reached(scene, endpoint, since)).toBe(1);
  });

  it("has a command with text and JSON output", async () => {
    expect(way, "no command is run for this endpoint").toBeDefined();
    if (!way) return;
    for (const form of [[], ["--json"]]) {
      const scene = await createScene();
      const flags = Object.entries(await way.inputs(scene)).flatMap(([key, value]) => [
        toFlag(key),
        String(value),
      ]);
      // A fresh home holds no token, so the command requests one.
      if (endpoint.path === "api-clients/token")
        scene.setup.environment.VENUE_HOME = `${scene.setup.workingFolder}/h2`;
      const since = scene.emulator.requests.length;
      const changes = endpoint.method !== "GET" && way.command !== "api devices status" ? ["--yes"] : [];
      const args = [...way.command.split(" "), ...flags, ...changes, ...form];
      const { code, stdout, stderr } = await run(args, scene.setup, scene.emulator.oneTimeCode);
      expect(stderr.replace(/^warning: VENUE_CLIENT_SECRET is set.*\n/, "")).toBe("");
      expect(code).toBe(0);
      expect(reached(scene, endpoint, since)).toBe(1);
      if (form.length > 0) expect(JSON.parse(stdout)).toBeDefined();
      else expect(stdout).not.toBe("");
    }
  });
});

it("the only other action is the file download", () => {
  const commands = new Set(Object.values(reaches).map(({ command }) => command));
  const actions = resources.flatMap(({ name, actions }) =>
    actions.map((action) => `api ${name} ${action.name}`),
  );
  expect(actions.filter((action) => !commands.has(action))).toEqual(["api history download"]);
  expect(endpoints).toHaveLength(60);
  expect(Object.keys(reaches)).toHaveLength(60);
});

it("every action has a one-line help text and a valid example", async () => {
  const setup = await setUp({ days: 1, zones: 2, playScale: 0.1 });
  for (const resource of resources) {
    for (const action of resource.actions) {
      const words = ["api", resource.name, action.name];
      const { stdout, code } = await run([...words, "--help"], setup, "");
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: venue ${words.join(" ")}`);
      expect(stdout).toContain(action.summary.split(" ").slice(0, 4).join(" "));
      expect(stdout).toMatch(new RegExp(`Example:\n {2}\\$ venue ${words.join(" ")}`));
      for (const flag of Object.keys(expandFlagKeys(action.flags)))
        expect(stdout).toContain(toFlagName(flag));
      const shown = stdout.slice(stdout.indexOf("Example:")).match(/--(?!yes\b)[a-z-]+/g) ?? [];
      expect(Object.keys(expandFlagKeys(action.flags)).map(toFlagName)).toEqual(
        expect.arrayContaining(shown),
      );
      const needed = Object.entries(expandFlagKeys(action.flags)).filter(([, { isRequired }]) => isRequired);
      expect(shown).toEqual(expect.arrayContaining(needed.map(([key]) => toFlagName(key))));
    }
  }
});

it("help explains that override records have no id", async () => {
  const setup = await setUp({ days: 1, zones: 2, playScale: 0.1 });
  for (const action of ["overrides", "remove-override"]) {
    const { stdout } = await run(["api", "playlists", action, "--help"], setup, "");
    expect(stdout).toMatch(
      /overrides without an id: --override-id of remove-override must come from another source/,
    );
  }
});
