import { join } from "node:path";
import type { VenueClient } from "../api/client.ts";
import { ServiceRefusedError } from "../api/errors/service-refused-error.ts";
import { prepareHome } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { readBudgets } from "../state/client/budget-report.ts";
import { clientFileName, openClientState } from "../state/client/client-state.ts";
import { paceOf } from "../state/client/pace.ts";
import type { Logger } from "../util/logger.ts";
import { countOf } from "../util/text/words.ts";
import { VenueError } from "../util/venue-error.ts";
import { connect } from "../workspace/connect.ts";

/**
 * The service, then each group: one request each. What the first one shows of the address, the credentials and the
 * token holds for all, so when the service can't be used no other group is asked for.
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
      // What is missing is named in the order in which the settings are listed.
      settings.get("VENUE_BASE_URL");
      const [first] = settings.find("VENUE_GROUP_IDS") ?? [];
      if (first === undefined)
        throw new NotTriedError(
          "The service was not tried: it is asked for a group's devices. Name a group first.",
        );
      await count(first).catch((error: unknown) => {
        // A group that may not be read still shows that the service answers and takes the token.
        if (!(error instanceof ServiceRefusedError) || error.status === 401) throw error;
      });
      isUsable = true;
      return `${settings.get("VENUE_BASE_URL").href} answers, and takes the access token`;
    },
  };
  for (const groupId of settings.find("VENUE_GROUP_IDS") ?? []) {
    yield {
      part: `group ${groupId}`,
      check: async () => {
        if (!isUsable)
          throw new NotTriedError(
            `Group ${groupId} was not tried, because the service can't be used: see above.`,
          );
        return `can be read: ${countOf(await count(groupId), "device")}`;
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

/** Who shares the agreed rate, as the file says that all processes of this user share. */
export function checkBudget(settings: Settings): string {
  const { requests, windowMs } = paceOf(settings.get("VENUE_RATE_PER_SECOND"));
  const rate = `at most ${requests} in any ${windowMs === 1000 ? "second" : `${windowMs / 1000} s`}`;
  const state = openClientState(join(prepareHome(settings.get("VENUE_HOME")), clientFileName));
  try {
    const budgets = readBudgets(state).map(({ api, sentLastMinute, waitingPids, heldMs }) => {
      const waiting = waitingPids.length > 0 ? `processes ${waitingPids.join(", ")} wait` : "nobody waits";
      const held = heldMs > 0 ? `; held back by the service for ${Math.ceil(heldMs / 1000)} s` : "";
      return `${api}: ${sentLastMinute} sent in the last minute, ${waiting}${held}`;
    });
    return [rate, ...budgets].join("; ");
  } finally {
    state.close();
  }
}

/** What stands in the way was said of another part. */
class NotTriedError extends VenueError {
  override readonly name = "NotTriedError";
  readonly code = "NOT_TRIED";
  readonly category = "service";
}
