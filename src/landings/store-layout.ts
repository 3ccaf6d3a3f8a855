import { z } from "zod";
import type { Landing } from "../state/data/landings.ts";
import { parseObject } from "../storage/parse-object.ts";
import { kinds } from "../util/kind.ts";
import { VenueError } from "../util/venue-error.ts";

/** Version of all objects in a landing store, increased when older versions of the program can't read them. */
export const storeFormat = 1;

/** Folders of a landing store. Each has one folder or object per collector. */
export const folders = {
  /** Content of landings: JSON Lines, gzipped. */
  content: "content",
  /** Descriptions of landings. Each is written after its content, and completes the landing. */
  landings: "landings",
  /** The last run of each collector. */
  collectors: "collectors",
  /** The loader's acknowledgements, one per collector. */
  loaded: "loaded",
} as const;

/** A landing in a store. */
export interface StoredLanding {
  collector: string;
  landingId: string;
  requestedAt: Date;
  /** Key of the landing's description. */
  key: string;
}

/** @throws {VenueError} `COLLECTOR_NAME_INVALID` if the name cannot be part of a path */
export function checkCollectorName(name: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) return;
  throw new VenueError(
    "COLLECTOR_NAME_INVALID",
    "usage",
    `${JSON.stringify(name)} can't be the name of a collector. Use up to 64 letters, digits, - and _, starting with a letter or digit.`,
  );
}

/** Sorts descriptions by the time of the request. */
export function descriptionKey(collector: string, { requestedAt, landingId }: Landing): string {
  const time = requestedAt.toISOString().replaceAll(/[-:.]/g, "");
  return `${folders.landings}/${collector}/${time}-${landingId}.json`;
}

const descriptionForm =
  /^landings\/([\w-]+)\/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-([0-9a-f-]{36})\.json$/;

export function parseDescriptionKey(key: string): StoredLanding | undefined {
  const [, collector, year, month, day, hour, minute, second, ms, landingId] =
    descriptionForm.exec(key) ?? [];
  if (collector === undefined || landingId === undefined) return undefined;
  const requestedAt = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  return { collector, landingId, requestedAt, key };
}

/** Includes the hash, so that content can't be replaced with other content. */
export function contentKey(collector: string, landingId: string, sha256: string): string {
  return `${folders.content}/${collector}/${landingId}-${sha256}.jsonl.gz`;
}

export function parseContentKey(key: string): Pick<StoredLanding, "landingId"> | undefined {
  const [, landingId] = /^content\/[\w-]+\/([0-9a-f-]{36})-[0-9a-f]{64}\.jsonl\.gz$/.exec(key) ?? [];
  return landingId === undefined ? undefined : { landingId };
}

const content = z.object({
  key: z.string(),
  /** Size of the gzipped content. */
  bytes: z.number(),
  sha256: z.string(),
});

const description = z.object({
  format: z.literal(storeFormat),
  landing_id: z.string(),
  collector: z.string(),
  topic: z.string(),
  source: z.enum(["export", "walk", "devices", "assets", "campaigns", "notices", "components"]),
  kind: z.enum(kinds).optional(),
  group_id: z.number().optional(),
  zone_id: z.number().optional(),
  is_complete: z.boolean(),
  /** ISO instant of the request, by the service's clock. */
  requested_at: z.iso.datetime(),
  /** Size before compression. */
  bytes: z.number(),
  /** Null for a landing without lines. */
  content: content.nullable(),
});

export type LandingDescription = z.infer<typeof description>;

/** @returns `undefined` if the text is not a description that this version can read */
export function parseDescription(text: string): LandingDescription | undefined {
  return parseObject(description, text);
}
