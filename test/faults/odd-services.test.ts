import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { VenueError } from "../../src/util/venue-error.ts";
import { coreFigures } from "../pipeline/core-figures.ts";
import { syncHere } from "../pipeline/sync-workspace.ts";
import {
  type Alteration,
  alterService,
  type PassingAnswer,
  type PassingRequest,
} from "../support/altered-service.ts";
import { itEachLimited, itInAll } from "../support/long-suite.ts";
import { startVenue } from "../support/run-venue.ts";
import { setNow, setUp, trueFigures } from "../support/service.ts";
import { expectWithin, patience, recover, world } from "./meet-faults.ts";

const dayMs = 86_400_000;
const loginPage = "<!doctype html><title>Sign in</title><h1>Please sign in to the network</h1>";

function head({ status, headers }: PassingAnswer, extra: readonly string[] = [], version = "1.1"): string {
  const type = headers.get("content-type") ?? "application/json";
  return [`HTTP/${version} ${status} Odd`, `content-type: ${type}`, ...extra, "", ""].join("\r\n");
}

const isData = ({ path }: PassingRequest) => /\/ext\//.test(path);
const isListing = ({ path }: PassingRequest) => /campaigns|assets|devices/.test(path);

/** Alterations of a sync's requests, by oddity. */
const oddities: Record<string, (request: PassingRequest) => Alteration> = {
  "returns a login page with status 200 for everything": () => ({
    status: 200,
    headers: { "content-type": "text/html" },
    body: loginPage,
  }),
  "returns a login page as JSON for data": (request) =>
    isData(request) ? { status: 200, body: loginPage } : undefined,
  // Links are unchanged: downloads come from the service itself.
  "speaks HTTP/1.0": () => ({ bytes: (answer) => [head(answer, [], "1.0"), answer.body] }),
  "sends 20 MB of headers": (request) =>
    isData(request)
      ? { bytes: (answer) => [head(answer, [`x-odd: ${"a".repeat(20_000_000)}`]), answer.body] }
      : undefined,
  "returns an endless body": (request) =>
    isListing(request) ? { bytes: (answer) => endless(head(answer), " ") } : undefined,
  "returns endless records": ({ path }) =>
    path.includes("devices/status?group_id=58429")
      ? { bytes: (answer) => endless(`${head(answer)}[{}`, `,{"zone_id":"${"x".repeat(10_000)}"}`) }
      : undefined,
  "sends yesterday's date": () => dated(-1),
  "sends tomorrow's date": () => dated(1),
  "returns another group's data": (request) =>
    /group_id/.test(request.path + request.body)
      ? { path: swapGroups(request.path), body: swapGroups(request.body) }
      : undefined,
  "alternates between two versions of a listing": (request) =>
    isListing(request) && request.count % 2 === 0
      ? { json: (records) => (Array.isArray(records) ? records.slice(1) : records) }
      : undefined,
  "returns nothing": (request) => (isData(request) ? { bytes: () => [] } : undefined),
  "returns partial headers": (request) =>
    isData(request) ? { bytes: () => ["HTTP/1.1 200 OK\r\ncontent-ty"] } : undefined,
  "returns a response that is not HTTP": (request) =>
    isData(request) ? { bytes: () => ["220 mail.example.com ESMTP\r\n"] } : undefined,
};

itEachLimited(
  Object.keys(oddities),
  0,
  2,
)("a service that %s leads to exact figures once it is back to normal", async (label) => {
  const setup = await setUp(world);
  const end = setup.emulator.world.endsAt.getTime();
  let isOdd = true;
  await alterService(setup, (request) => (isOdd ? oddities[label]?.(request) : undefined));
  for (const daysBefore of [1, 0]) {
    setNow(setup, new Date(end - daysBefore * dayMs));
    try {
      const { failures } = await syncHere(setup, { mode: "export", ...patience });
      for (const { error } of failures) expect(error).toBeInstanceOf(VenueError);
    } catch (error) {
      expect(error).toBeInstanceOf(VenueError);
    }
    expectWithin(await coreFigures(setup), trueFigures(setup.emulator.world, setup.emulator.now()));
  }
  isOdd = false;
  // An hour later, since responses of one instant count equally.
  setNow(setup, new Date(end + 3_600_000));
  // The zones of an export stay in force until the next one.
  await recover(setup, { mode: "export" });
});

itEachLimited(
  ["export", "walk"] as const,
  0,
  1,
)(
  "a service restored from an old backup loses no data here, and is followed when it grows again: by %s",
  async (mode) => {
    const setup = await setUp(world);
    const { emulator, environment } = setup;
    const end = emulator.world.endsAt.getTime();
    setNow(setup, new Date(end - dayMs));
    expect((await syncHere(setup, { mode })).failures).toEqual([]);
    const known = await coreFigures(setup);
    // The service's clock stops meanwhile; the user's does not.
    emulator.setNow(new Date(end - 2.5 * dayMs));
    environment.VENUE_NOW = new Date(end - 0.5 * dayMs).toISOString();
    await syncHere(setup, { mode });
    expect(await coreFigures(setup)).toMatchObject(known);
    setNow(setup, new Date(end));
    await recover(setup, { mode });
  },
);

itInAll("an unresolvable name is one clear error; the next run collects all once it resolves", async () => {
  const setup = await setUp({ ...world, days: 2 });
  // Links of exports name the machine itself, where the service is not.
  const walk = ["sync", "history", "--mode", "walk"];
  const named = (url: string) => url.replace("127.0.0.1", "service.invalid");
  Object.assign(setup.environment, {
    VENUE_BASE_URL: named(setup.emulator.baseUrl),
    VENUE_STATUS_URL: named(setup.emulator.statusUrl),
  });
  const failed = await startVenue(walk, setup).finished;
  expect(failed.code).toBe(3);
  expect(failed.stderr.trim().split("\n").at(-1)).toMatch(
    /^warning: Nothing was collected: .*service\.invalid/,
  );
  expect(failed.stderr).not.toMatch(/\n {4}at /);
  const resolved = join(setup.workingFolder, "resolve.cjs");
  writeFileSync(resolved, resolving);
  const environment = { ...setup.environment, NODE_OPTIONS: `--require ${resolved}` };
  const again = await startVenue(walk, { ...setup, environment }).finished;
  expect(again.code, again.stderr).toBe(0);
  expect(await coreFigures(setup)).toEqual(trueFigures(setup.emulator.world, setup.emulator.now()));
});

/** A name server's behaviour for that name. */
const resolving = `const dns = require("node:dns");
const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(name === "service.invalid" ? "127.0.0.1" : name, ...rest);`;

async function* endless(begin: string, more: string): AsyncGenerator<string> {
  yield begin;
  const chunk = more.repeat(Math.ceil(500_000 / more.length));
  for (;;) {
    yield chunk;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function dated(days: number): Alteration {
  return {
    bytes: (answer) => [
      head(answer, [
        `date: ${new Date(Date.now() + days * dayMs).toUTCString()}`,
        `content-length: ${answer.body.length}`,
        "connection: close",
      ]),
      answer.body,
    ],
  };
}

function swapGroups(text: string): string {
  return text.replaceAll(/58429|58430/g, (group) => (group === "58429" ? "58430" : "58429"));
}
