import { CredentialsRefusedError } from "../api/errors/credentials-refused-error.ts";
import type { Landing, LandingSource } from "../state/landings.ts";
import { kinds } from "../util/kind.ts";
import { VenueError } from "../util/venue-error.ts";
import { collectExport } from "./collect-export.ts";
import { collectListing, type ListingSource } from "./collect-listing.ts";
import type { ExtractContext } from "./extract-context.ts";
import type { SyncTopic } from "./sync-topic.ts";

/** Something to collect: one landing. */
interface Source {
  /** For people, e.g. `music history of group 58429`. */
  name: string;
  topic: SyncTopic;
  landing: LandingSource;
  collect(context: ExtractContext): Promise<Landing>;
}

/** What came of a source: a landing, or why the service gave none. */
export type Extracted = { name: string; landing: Landing } | { name: string; error: VenueError };

/**
 * Collects everything of these groups and topics, all at once: requests wait for their turn in the shared budget,
 * exports are polled side by side. Each result is handed on as soon as it is there. A source that the service
 * fails stops no other.
 * @throws {CredentialsRefusedError} at once: it would be the same for every source
 * @throws whatever is no failure of the service, a full disk for one
 */
export async function extract(
  groupIds: readonly number[],
  topics: readonly SyncTopic[],
  context: ExtractContext,
  onResult: (result: Extracted) => void,
): Promise<void> {
  const { state, collectionId } = context;
  const sources = groupIds
    .flatMap(listSources)
    .filter(({ topic, landing }) => topics.includes(topic) && !state.landings.has(collectionId, landing));
  const failure = new AbortController();
  const signal = AbortSignal.any([context.signal, failure.signal]);
  const collected = sources.map(async ({ name, collect }) => {
    try {
      const landing = await collect({ ...context, signal });
      context.progress.finish(name, "landed");
      onResult({ name, landing });
    } catch (error) {
      if (signal.aborted) return;
      if (!isFailureOfSource(error)) return failure.abort(error);
      context.progress.finish(name, "failed");
      onResult({ name, error });
    }
  });
  await Promise.all(collected);
  signal.throwIfAborted();
}

/** Whether the service failed this source, so that others may still succeed. */
function isFailureOfSource(error: unknown): error is VenueError {
  return (
    error instanceof VenueError && error.category === "service" && !(error instanceof CredentialsRefusedError)
  );
}

/** Exports first: the service works on them while the rest is asked for. */
function listSources(groupId: number): Source[] {
  const exports = kinds.map(
    (kind): Source => ({
      name: `${kind} history of group ${groupId}`,
      topic: "history",
      landing: { source: "export", kind, groupId },
      collect: (context) => collectExport({ kind, groupId }, context),
    }),
  );
  const devices = listing(`devices of group ${groupId}`, "devices", { source: "devices", groupId });
  const assets = (["signage", "messaging"] as const).map((kind) =>
    listing(`${kind} assets of group ${groupId}`, "campaigns", { source: "assets", kind, groupId }),
  );
  return [...exports, devices, ...assets];
}

function listing(name: string, topic: SyncTopic, landing: ListingSource): Source {
  return { name, topic, landing, collect: (context) => collectListing(landing, context) };
}
