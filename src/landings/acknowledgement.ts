import { z } from "zod";
import type { HistoryKnowledge } from "../state/data/histories.ts";
import { parseObject } from "../storage/parse-object.ts";
import type { Storage } from "../storage/storage.ts";
import { kinds } from "../util/kind.ts";
import { folders, storeFormat } from "./store-layout.ts";

const acknowledgement = z.object({
  format: z.literal(storeFormat),
  /** Changes when landings of the collector are lost after they were in the store. */
  epoch: z.string(),
  /** Ids of its walks and notices that are loaded, without those superseded some days ago. */
  landings: z.array(z.string()),
  /** What is known about histories, for the collector's plans. */
  sizes: z.array(
    z.object({ kind: z.enum(kinds), zoneId: z.number(), records: z.number(), recordsPerDay: z.number() }),
  ),
  zones: z.array(z.object({ groupId: z.number(), zoneId: z.number() })),
});

/** What is loaded of a collector. */
export interface Acknowledgement extends HistoryKnowledge {
  epoch: string;
  landings: readonly string[];
}

/** Returns what the loader last wrote for a collector; nothing if it wrote nothing or the object is damaged. */
export async function findAcknowledgement(storage: Storage, collector: string): Promise<Acknowledgement> {
  const found = await storage.find(keyOf(collector));
  const parsed = parseObject(acknowledgement, found?.content.toString() ?? "");
  const { epoch = "none", landings = [], sizes = [], zones = [] } = parsed ?? {};
  return { epoch, landings, sizes, zones };
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
