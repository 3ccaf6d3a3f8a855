import { z } from "zod";
import type { HistoryKnowledge } from "../state/data/histories.ts";
import { parseObject } from "../storage/parse-object.ts";
import type { Storage } from "../storage/storage.ts";
import { kinds } from "../util/kind.ts";
import { folders, storeFormat } from "./store-layout.ts";

const acknowledgement = z.object({
  format: z.literal(storeFormat),
  /** Changes when landings of the collector are lost after they reached the store. */
  epoch: z.string(),
  /** Ids of the collector's loaded walks and notices, except those superseded some days ago. */
  landings: z.array(z.string()),
  /** Sizes of histories, for the collector's plans. */
  sizes: z.array(
    z.object({ kind: z.enum(kinds), zoneId: z.number(), records: z.number(), recordsPerDay: z.number() }),
  ),
  zones: z.array(z.object({ groupId: z.number(), zoneId: z.number() })),
});

/** The loader's record of what it has loaded from a collector. */
export interface Acknowledgement extends HistoryKnowledge {
  epoch: string;
  landings: readonly string[];
}

/** Returns the loader's latest acknowledgement for a collector; an empty one if it is missing or damaged. */
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
