import { setMaxListeners } from "node:events";
import { ConnectionFailedError, CredentialsRefusedError } from "../api/errors.ts";
import { VenueError } from "../util/venue-error.ts";
import { HistoryCollector } from "./collect-history.ts";
import type { ExtractContext } from "./extract-context.ts";
import {
  type Attempt,
  type CollectResult,
  type ExtractOrder,
  type ExtractResult,
  isCollected,
} from "./extract-order.ts";
import { CampaignCollector } from "./listing/collect-campaigns.ts";
import { GroupZones } from "./listing/group-zones.ts";
import { collectComponents, collectNotices } from "./status/collect-status.ts";

/**
 * Collects everything that the order includes, and reports each result as it arrives. Requests all exports at
 * once. Uses the rest of the agreed rate for devices, histories, campaigns and assets, in this order, and
 * finally for exports that were refused once. A failed source does not stop the others. Once the service is
 * unreachable or refuses the credentials, all remaining sources fail with the same error, without a request.
 * @throws errors that the service did not cause, such as a full disk
 */
export async function extract(
  order: ExtractOrder,
  context: ExtractContext,
  onResult: (result: ExtractResult) => void,
): Promise<void> {
  const failure = new AbortController();
  const main = openApi(context, failure, onResult);
  const zones = new GroupZones(order, main.context, main.attempt);
  const histories = new HistoryCollector(order, zones, main.context, main.attempt);
  const campaigns = new CampaignCollector(order, zones, main.context, main.attempt);
  const status = openApi(context, failure, onResult);
  await Promise.all([
    zones.collect(),
    order.topics.includes("history") && histories.collect(),
    order.topics.includes("campaigns") && campaigns.collect(),
    order.topics.includes("status") && collectStatus(order, status.context, status.attempt),
  ]);
  await histories.collectRefused();
  failure.signal.throwIfAborted();
  context.signal.throwIfAborted();
}

/**
 * Prepares collecting from one API. The main API and the status API are separate, because one may fail while
 * the other works.
 */
function openApi(
  outer: ExtractContext,
  failure: AbortController,
  onResult: (result: ExtractResult) => void,
): { context: ExtractContext; attempt: Attempt } {
  const outage = new AbortController();
  const signal = AbortSignal.any([outer.signal, failure.signal, outage.signal]);
  const stopping = AbortSignal.any([outer.stopping, failure.signal, outage.signal]);
  // Disables the warning about many listeners, because every request and every wait adds one.
  setMaxListeners(0, signal, stopping);
  const context = { ...outer, signal, stopping };
  const attempt: Attempt = async (topic, name, collect) => {
    const result = await accountOutage(collect(context), outer, failure, outage);
    if (result === "ended") return "failed";
    if (result === "elsewhere") {
      outer.progress.expect(topic, -1, 0);
      return undefined;
    }
    outer.progress.finish(topic, result.state);
    onResult({ topic, name, ...result });
    return result.state;
  };
  return { context, attempt };
}

async function accountOutage(
  collecting: Promise<CollectResult | undefined>,
  { signal, stopping }: ExtractContext,
  failure: AbortController,
  outage: AbortController,
): Promise<DistributiveOmit<ExtractResult, "topic" | "name"> | "elsewhere" | "ended"> {
  try {
    const collected = await collecting;
    if (!collected) return "elsewhere";
    const { landing, note, why } = collected;
    if (why !== undefined) return { state: "incomplete", landing, why };
    return { state: "complete", landing, ...(note === undefined ? {} : { note }) };
  } catch (error) {
    if (signal.aborted || failure.signal.aborted) return "ended";
    if (stopping.aborted && error === stopping.reason) return { state: "left" };
    if (isOutage(error)) outage.abort(error);
    if (outage.signal.aborted) return { state: "failed", error: outage.signal.reason };
    if (isFailureOfSource(error)) return { state: "failed", error };
    failure.abort(error);
    return "ended";
  }
}

type DistributiveOmit<Union, Keys extends PropertyKey> = Union extends unknown ? Omit<Union, Keys> : never;

/** Returns true if only this source failed; others may still succeed. */
function isFailureOfSource(error: unknown): error is VenueError {
  return error instanceof VenueError && error.category === "service";
}

/** Returns true if every other request to the same API would fail too. */
function isOutage(error: unknown): error is VenueError {
  return (
    error instanceof CredentialsRefusedError ||
    (error instanceof ConnectionFailedError && error.isUnreachable)
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
