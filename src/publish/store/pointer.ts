import { hostname } from "node:os";
import { z } from "zod";
import type { Manifest } from "../../mart/manifest.ts";
import type { Storage } from "../../storage/storage.ts";
import { VenueError } from "../../util/venue-error.ts";
import { abandonedMs, retentionMs } from "../retention.ts";

/** Key of the object that decides which version readers see. */
export const pointerKey = "current.json";

/** Version of the pointer's format, increased when older programs must no longer publish to the same place. */
const pointerFormat = 1;

const shownVersion = z.object({
  version: z.string(),
  /** ISO instant. It distinguishes versions of different warehouses, whose numbers can be equal. */
  built_at: z.string(),
  /** Key of the version's manifest. */
  manifest: z.string(),
});

const replacedVersion = shownVersion.extend({
  /** ISO instant by the store's clock; absent for the version that was replaced last. */
  replaced_at: z.string().optional(),
});

const pointer = shownVersion.extend({
  format: z.literal(pointerFormat),
  published_at: z.string(),
  /** Host name of the publishing machine. */
  published_by: z.string(),
  /** Newest first. */
  replaced: z.array(replacedVersion),
});

export type ReplacedVersion = z.infer<typeof replacedVersion>;
export type Pointer = z.infer<typeof pointer>;

/** A pointer as read from the store. */
export interface FoundPointer {
  pointer: Pointer;
  /** Version of the object, for a conditional write. */
  objectVersion: string;
  /** When it became visible to readers, by the store's clock. */
  shownAt: Date;
}

/** @throws {VenueError} `PUBLISH_TARGET_UNKNOWN` if the object was not written by this program */
export async function findPointer(storage: Storage): Promise<FoundPointer | undefined> {
  const found = await storage.find(pointerKey);
  if (!found) return undefined;
  const parsed = pointer.safeParse(parseJson(found.content.toString()));
  if (!parsed.success) throw unknownTargetError(storage.addressOf(pointerKey));
  return { pointer: parsed.data, objectVersion: found.version, shownAt: found.modifiedAt };
}

/** Returns the pointer for the next version. */
export function createPointer(
  { version, built_at }: Manifest,
  manifest: string,
  before: FoundPointer | undefined,
  now: Date,
): Pointer {
  return {
    format: pointerFormat,
    version,
    built_at,
    manifest,
    published_at: now.toISOString(),
    published_by: hostname(),
    replaced: before ? listReplaced(before) : [],
  };
}

/** Lists replaced versions for a day. After that, their files are swept even if they are not listed. */
function listReplaced({ pointer, shownAt }: FoundPointer): ReplacedVersion[] {
  const { version, built_at, manifest, replaced } = pointer;
  const [latest, ...older] = replaced;
  const dated = latest ? [{ ...latest, replaced_at: shownAt.toISOString() }, ...older] : [];
  const isNamed = ({ replaced_at = "" }: ReplacedVersion, index: number) =>
    index < keptVersions || shownAt.getTime() - Date.parse(replaced_at) <= abandonedMs;
  return [{ version, built_at, manifest }, ...dated.filter(isNamed)];
}

/** Number of replaced versions kept regardless of age. With the current version that makes three, as in folders. */
const keptVersions = 2;

/**
 * Lists the replaced versions whose files are kept, as of the time at which the pointer became visible. All programs
 * that read the same pointer get the same list, so none deletes files that another one reuses.
 */
export function listKept({ pointer, shownAt }: FoundPointer): ReplacedVersion[] {
  return pointer.replaced.filter(
    ({ replaced_at }, index) =>
      index < keptVersions ||
      replaced_at === undefined ||
      shownAt.getTime() - Date.parse(replaced_at) <= retentionMs,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unknownTargetError(address: string): VenueError {
  return new VenueError(
    "PUBLISH_TARGET_UNKNOWN",
    "usage",
    `${address} was not written by \`venue publish\`, or by a newer version of it. Use another prefix, or install that version.`,
  );
}
