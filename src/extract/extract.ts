import type { Landing, LandingSource } from "../state/landings.ts";
import { kinds } from "../util/kind.ts";
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

/** What came of a source: a landing, or why there is none. */
export type Extracted = { name: string; landing: Landing } | { name: string; error: unknown };

/**
 * Collects everything of these groups and topics, all at once: requests wait for their turn in the shared budget,
 * exports are polled side by side. Each result is handed on as soon as it is there; one that fails stops no other.
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
  const collected = sources.map(async ({ name, collect }) => {
    try {
      const landing = await collect(context);
      context.progress.finish(name, "landed");
      onResult({ name, landing });
    } catch (error) {
      if (context.signal.aborted) return;
      context.progress.finish(name, "failed");
      onResult({ name, error });
    }
  });
  await Promise.all(collected);
  context.signal.throwIfAborted();
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
