import { setMaxListeners } from "node:events";
import { CredentialsRefusedError } from "../api/errors/credentials-refused-error.ts";
import { VenueError } from "../util/venue-error.ts";
import { HistoryCollector } from "./collect-history.ts";
import type { ExtractContext } from "./extract-context.ts";
import type { Attempt, Collected, Extracted, ExtractOrder } from "./extract-order.ts";
import { isCollected } from "./is-collected.ts";
import { CampaignCollector } from "./listing/collect-campaigns.ts";
import { GroupZones } from "./listing/group-zones.ts";
import { collectComponents, collectNotices } from "./status/collect-status.ts";

/**
 * Collects everything that is ordered. All exports are under way at once; what is left of the agreed rate goes to
 * devices first, then to histories, then to campaigns and assets; exports that were refused once come last.
 * Each result is handed on as soon as it is there. A source that the service fails stops no other.
 * @throws {CredentialsRefusedError} at once: it would be the same for every source
 * @throws whatever is no failure of the service, a full disk for one
 */
export async function extract(
  order: ExtractOrder,
  context: ExtractContext,
  onResult: (result: Extracted) => void,
): Promise<void> {
  const failure = new AbortController();
  const signal = AbortSignal.any([context.signal, failure.signal]);
  const stopping = AbortSignal.any([context.stopping, failure.signal]);
  // Every request and every wait listens to them.
  setMaxListeners(0, signal, stopping);
  const inner = { ...context, signal, stopping };
  const attempt: Attempt = async (topic, name, collect) => {
    const result = await judge(collect(inner), inner, failure);
    if (result === "ended") return "failed";
    if (result === "elsewhere") {
      context.progress.expect(topic, -1, 0);
      return undefined;
    }
    context.progress.finish(topic, result.state);
    onResult({ topic, name, ...result });
    return result.state;
  };
  const zones = new GroupZones(order, inner, attempt);
  const histories = new HistoryCollector(order, zones, inner, attempt);
  await Promise.all([
    zones.collect(),
    order.topics.includes("history") && histories.collect(),
    order.topics.includes("campaigns") && new CampaignCollector(order, zones, inner, attempt).collect(),
    order.topics.includes("status") && collectStatus(order, inner, attempt),
  ]);
  await histories.collectAgain();
  signal.throwIfAborted();
}

async function judge(
  collecting: Promise<Collected | undefined>,
  { signal, stopping }: ExtractContext,
  failure: AbortController,
): Promise<DistributiveOmit<Extracted, "topic" | "name"> | "elsewhere" | "ended"> {
  try {
    const collected = await collecting;
    if (!collected) return "elsewhere";
    const { landing, note, why } = collected;
    if (why !== undefined) return { state: "incomplete", landing, why };
    return { state: "complete", landing, ...(note === undefined ? {} : { note }) };
  } catch (error) {
    if (signal.aborted) return "ended";
    if (stopping.aborted && error === stopping.reason) return { state: "left" };
    if (isFailureOfSource(error)) return { state: "failed", error };
    failure.abort(error);
    return "ended";
  }
}

type DistributiveOmit<Union, Keys extends PropertyKey> = Union extends unknown ? Omit<Union, Keys> : never;

/** Whether the service failed this source, so that others may still succeed. */
function isFailureOfSource(error: unknown): error is VenueError {
  return (
    error instanceof VenueError && error.category === "service" && !(error instanceof CredentialsRefusedError)
  );
}

async function collectStatus(
  { status }: ExtractOrder,
  context: ExtractContext,
  attempt: Attempt,
): Promise<void> {
  if (!status) return;
  const sources = { components: collectComponents, notices: collectNotices };
  const open = (["components", "notices"] as const).filter(
    (source) => !isCollected({ source }, "status", context),
  );
  context.progress.expect("status", open.length, 0);
  await Promise.all(
    open.map((source) =>
      attempt("status", `${source} of the status API`, (inner) => sources[source](status, inner)),
    ),
  );
}
