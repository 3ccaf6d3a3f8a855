import { z } from "zod";
import type { HistoryKnowledge } from "../state/data/histories.ts";
import type { Storage } from "../storage/storage.ts";
import { kinds } from "../util/kind.ts";
import { folders, parseStoreObject, storeFormat } from "./store-layout.ts";

const acknowledgement = z.object({
  format: z.literal(storeFormat),
  /** Ids of landings of the collector that are loaded, without those long superseded. */
  landings: z.array(z.string()),
  /** What is known about histories, for the collector's plans. */
  sizes: z.array(
    z.object({ kind: z.enum(kinds), zoneId: z.number(), records: z.number(), recordsPerDay: z.number() }),
  ),
  zones: z.array(z.object({ groupId: z.number(), zoneId: z.number() })),
});

/** What the loader tells a collector. */
export interface Acknowledgement extends HistoryKnowledge {
  landings: readonly string[];
}

/** Returns what the loader last wrote for a collector; nothing if it wrote nothing or the object is damaged. */
export async function findAcknowledgement(storage: Storage, collector: string): Promise<Acknowledgement> {
  const found = await storage.find(keyOf(collector));
  return (
    parseStoreObject(acknowledgement, found?.content.toString() ?? "") ?? {
      landings: [],
      sizes: [],
      zones: [],
    }
  );
}

export async function putAcknowledgement(
  storage: Storage,
  collector: string,
  loaded: Acknowledgement,
): Promise<void> {
  await storage.put(keyOf(collector), JSON.stringify({ format: storeFormat, ...loaded }));
}

function keyOf(collector: string): string {
  return `${folders.loaded}/${collector}.json`;
}
