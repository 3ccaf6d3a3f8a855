import { request } from "undici";
import type { Settings } from "../config/settings.ts";
import { classifyFault } from "../util/connection-fault.ts";
import { createHttpAgent } from "../util/http-agent.ts";
import type { Logger } from "../util/logger.ts";
import { fillPlaceholders, listPlaceholders } from "../util/text/placeholders.ts";

/** Reports a run to a monitor, which raises an alarm when runs fail or no longer happen. */
interface Heartbeat {
  /** @param isSuccess the run ended without any failure */
  end(isSuccess: boolean): Promise<void>;
}

/** Time for one call; a run makes two. */
const timeoutMs = 2_500;

const outcomes = {
  success: { status: "up", message: "The run succeeded." },
  failure: { status: "down", message: "The run failed." },
};

/**
 * Calls `VENUE_HEARTBEAT_URL` as healthchecks.io defines it. The call now appends `/start`. The call at the end of the run
 * appends `/fail` after a failure. A URL with `{status}` or `{message}` placeholders, for monitors with push addresses, is
 * called only at the end, with their values filled in. An unreachable monitor causes a warning.
 */
export function startHeartbeat(settings: Settings, logger: Logger): Heartbeat {
  const url = settings.find("VENUE_HEARTBEAT_URL");
  if (url === undefined) return { end: async () => {} };
  const call = async (target: URL) => {
    const problem = await findProblem(target);
    if (problem) logger.warn(`VENUE_HEARTBEAT_URL can't be called: ${problem}. The run is not affected.`);
  };
  if (listPlaceholders(url.href).some((name) => Object.hasOwn(outcomes.success, name)))
    return { end: (isSuccess) => call(fillIn(url, isSuccess)) };
  // The run does not wait for this call.
  const started = call(addPath(url, "/start"));
  return {
    end: async (isSuccess) => {
      await started;
      await call(addPath(url, isSuccess ? "" : "/fail"));
    },
  };
}

function addPath(url: URL, path: string): URL {
  const target = new URL(url);
  target.pathname = target.pathname.replace(/\/$/, "") + path;
  return target;
}

function fillIn(url: URL, isSuccess: boolean): URL {
  const values = isSuccess ? outcomes.success : outcomes.failure;
  return new URL(fillPlaceholders(url.href, values, encodeURIComponent));
}

/** Returns the reason why a call failed. Omits the address, which is a secret. */
async function findProblem(target: URL): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await request(target, { dispatcher: createHttpAgent({ pipelining: 0 }), signal });
    await response.body.dump();
    return response.statusCode < 300 ? undefined : `it answered with status ${response.statusCode}`;
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    if (name === "TimeoutError") return `no answer within ${timeoutMs / 1000} s`;
    return `it ${classifyFault(Object.assign(new Error(name), { code })).problem}`;
  }
}
