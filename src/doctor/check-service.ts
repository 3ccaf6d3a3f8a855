import diagnosticsChannel from "node:diagnostics_channel";
import { join } from "node:path";
import type { VenueClient } from "../api/client.ts";
import { ServiceRefusedError } from "../api/errors.ts";
import { prepareHome } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { connectNessie, connectTrino } from "../engines/connect-cluster.ts";
import { catalogs } from "../engines/trino/trino-options.ts";
import { findShown } from "../mart/shown-versions.ts";
import { clientFileName, openClientState, readBudgets } from "../state/client/client-state.ts";
import { computePace } from "../state/client/pace.ts";
import { parseHttpDate } from "../util/http-values.ts";
import type { Logger } from "../util/logger.ts";
import { countOf } from "../util/text/words.ts";
import { VenueError } from "../util/venue-error.ts";
import { connect, connectStatus } from "../workspace/connect.ts";

/**
 * Checks the service and then each group, with one request per group. The first request also tests the address,
 * the credentials and the token. If it fails, the other groups are not requested.
 */
export function* checkService(
  settings: Settings,
  logger: Logger,
  signal: AbortSignal,
): Generator<{ part: string; check: () => Promise<string> }> {
  let isUsable = false;
  const counts = new Map<number, Promise<number>>();
  const count = (groupId: number) => {
    const devices = counts.get(groupId) ?? countDevices(settings, logger, groupId, signal);
    counts.set(groupId, devices);
    return devices;
  };
  yield {
    part: "service",
    check: async () => {
      // Reads settings in the order of the settings list, so that the first missing one is reported.
      settings.get("VENUE_BASE_URL");
      const [first] = settings.find("VENUE_GROUP_IDS") ?? [];
      if (first === undefined)
        throw skippedError(
          "The service was not checked, because this needs a group to request devices of. Set a group first.",
        );
      await count(first).catch((error: unknown) => {
        // A refusal for this group also shows that the service responds and accepts the token.
        if (!(error instanceof ServiceRefusedError) || error.status === 401) throw error;
      });
      isUsable = true;
      return `${settings.get("VENUE_BASE_URL").href} responds, and accepts the access token`;
    },
  };
  for (const groupId of settings.find("VENUE_GROUP_IDS") ?? []) {
    yield {
      part: `group ${groupId}`,
      check: async () => {
        if (!isUsable)
          throw skippedError(
            `Group ${groupId} was not checked, because the service can't be used (see above).`,
          );
        return `readable: ${countOf(await count(groupId), "device")}`;
      },
    };
  }
}

async function countDevices(
  settings: Settings,
  logger: Logger,
  groupId: number,
  signal: AbortSignal,
): Promise<number> {
  const client: VenueClient = connect(settings, logger);
  try {
    let devices = 0;
    for await (const _ of client.devices.status({ groupId, isFresh: true, signal })) devices += 1;
    return devices;
  } finally {
    await client.close();
  }
}

/** Describes the current use of the agreed rate by this user's processes, according to `client.db`. */
export function checkBudget(settings: Settings): string {
  const { requests, windowMs } = computePace(settings.get("VENUE_RATE_PER_SECOND"));
  const rate = `at most ${requests} in any ${windowMs === 1000 ? "second" : `${windowMs / 1000} s`}`;
  const state = openClientState(join(prepareHome(settings.get("VENUE_HOME")), clientFileName));
  try {
    const budgets = readBudgets(state).map(({ api, sentLastMinute, waitingPids, heldMs }) => {
      const waiting =
        waitingPids.length > 0 ? `processes ${waitingPids.join(", ")} are waiting` : "no process is waiting";
      const held = heldMs > 0 ? `; paused by the service for ${Math.ceil(heldMs / 1000)} s` : "";
      return `${api}: ${sentLastMinute} sent in the last minute, ${waiting}${held}`;
    });
    return [rate, ...budgets].join("; ");
  } finally {
    state.close();
  }
}

/** Thrown for a check that was skipped because an earlier check failed. */
function skippedError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("NOT_TRIED", "service", message, options);
}

export async function checkStatus(settings: Settings, logger: Logger, signal: AbortSignal): Promise<string> {
  const root = settings.find("VENUE_STATUS_URL");
  if (!root) return "VENUE_STATUS_URL is not set: status steps are skipped";
  const client = connectStatus(settings, logger);
  try {
    const { state } = await client.page({ isFresh: true, signal });
    return `responds; service state: ${state}`;
  } finally {
    await client.close();
  }
}

export async function checkTrino(settings: Settings, logger: Logger, signal: AbortSignal): Promise<string> {
  const trino = connectTrino(settings, logger, { catalog: "system", signal });
  try {
    const { version } = await trino.get<{ version: string }>(
      "select node_version as version from runtime.nodes limit 1",
    );
    for (const catalog of Object.values(catalogs))
      await trino.find(`select schema_name from ${catalog}.information_schema.schemata limit 1`);
    return `${version} responds, and has the catalogs ${Object.values(catalogs).join(", ")}`;
  } finally {
    trino.close();
  }
}

export async function checkNessie(settings: Settings, logger: Logger): Promise<string> {
  const nessie = connectNessie(settings, logger);
  try {
    const shown = await findShown(nessie);
    return shown
      ? `responds, and shows ${shown.version}`
      : "responds; no version is shown yet: run `venue build`";
  } finally {
    nessie.close();
  }
}

/** Maximum clock difference; larger than any network delay. */
const maxClockOffsetMs = 60_000;

interface Headers {
  response: { headers: Buffer[] };
}

/**
 * Compares server clocks with this machine's clock, using the Date headers of all responses until `stop` is
 * called. Needs no extra requests, because undici publishes the headers of each response.
 * @returns `offsets`, to which each response adds the server's time minus this machine's, in milliseconds
 */
export function watchServerClocks(): { offsets: number[]; stop(): void } {
  const offsets: number[] = [];
  const onHeaders = (message: unknown) => {
    const { headers } = (message as Headers).response;
    const names = headers.map((header) => header.toString("latin1").toLowerCase());
    // The array contains names and values in turn.
    const index = names.findIndex((name, position) => position % 2 === 0 && name === "date");
    const instant = index >= 0 ? parseHttpDate(headers[index + 1]?.toString("latin1")) : undefined;
    if (instant !== undefined) offsets.push(instant - Date.now());
  };
  diagnosticsChannel.subscribe("undici:request:headers", onHeaders);
  return { offsets, stop: () => diagnosticsChannel.unsubscribe("undici:request:headers", onHeaders) };
}

/** @throws {VenueError} `CLOCK` when the clocks differ too much */
export function checkClock(offsets: readonly number[]): string {
  const [nearest] = [...offsets].sort((a, b) => Math.abs(a) - Math.abs(b));
  if (nearest === undefined) return "not compared: no response included the service's time";
  if (Math.abs(nearest) > maxClockOffsetMs) throw clockError(nearest);
  return `within ${Math.max(1, Math.ceil(Math.abs(nearest) / 1000))} s of the service's`;
}

function clockError(offsetMs: number): VenueError {
  const apart = Math.round(Math.abs(offsetMs) / 1000);
  return new VenueError(
    "CLOCK",
    "usage",
    `This machine's clock is ${apart} s ${offsetMs > 0 ? "behind" : "ahead of"} the service's: recorded ` +
      "times and expiry checks will be wrong. Enable network time (timedatectl set-ntp true).",
  );
}
