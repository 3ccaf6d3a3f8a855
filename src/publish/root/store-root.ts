import { hostname } from "node:os";
import { z } from "zod";
import { parseObject } from "../../storage/parse-object.ts";
import type { Storage } from "../../storage/storage.ts";
import { publishTargetUnknownError } from "../errors.ts";
import { createDuckLakeCatalog } from "./ducklake-catalog.ts";
import type { Pointer, Root, RootVersion } from "./root.ts";

/** Key of the object that decides which version readers see. */
const pointerKey = "current.json";

/** Version of the pointer's format, increased when older programs must no longer publish to the same place. */
const pointerFormat = 2;

const shownVersion = z.object({
  version: z.string(),
  built_at: z.string(),
  published_at: z.string(),
  /** Host name of the publishing machine. */
  published_by: z.string(),
});

const storedPointer = shownVersion.extend({
  format: z.literal(pointerFormat),
  /** Prefix of the version's files. */
  folder: z.string(),
});

/** The pointer of version 0.2, which contains the key of a manifest. */
const earlierPointer = shownVersion
  .extend({ format: z.literal(1), manifest: z.string() })
  .transform(({ manifest, ...pointer }) => ({ ...pointer, folder: manifest.replace(/\/[^/]*$/, "") }));

const anyPointer = z.union([storedPointer, earlierPointer]);

/** A prefix of a store, in which the object `current.json` is the pointer. */
export class StoreRoot implements Root {
  readonly storage: Storage;
  readonly catalogKey = "venue.ducklake";

  constructor(storage: Storage) {
    this.storage = storage;
  }

  /** @throws {VenueError} `PUBLISH_TARGET_UNKNOWN` if a newer version of this program wrote it */
  async findPointer(): Promise<Pointer | undefined> {
    const found = await this.storage.find(pointerKey);
    if (!found) return undefined;
    const content = parseObject(z.unknown(), found.content.toString());
    const { format } = (content ?? {}) as { format?: unknown };
    if (Number(format) > pointerFormat) throw publishTargetUnknownError(this.storage.addressOf(pointerKey));
    const { data } = anyPointer.safeParse(content);
    return {
      ...{ state: found.version, shownAt: found.modifiedAt, folder: data?.folder },
      publisher: data
        ? `${data.published_by} published ${data.version} there at ${data.published_at}`
        : "another program replaced its current.json",
    };
  }

  async movePointer({ folder, manifest }: RootVersion, before: Pointer | undefined): Promise<void> {
    const { version, built_at } = manifest;
    const pointer: z.infer<typeof storedPointer> = {
      ...{ format: pointerFormat, version, folder, built_at },
      published_at: new Date().toISOString(),
      published_by: hostname(),
    };
    const catalog = await createDuckLakeCatalog(this.storage.addressOf(folder), manifest);
    await this.storage.put(`${folder}/${this.catalogKey}`, catalog);
    const condition = before ? { ifMatch: before.state } : ({ ifNoneMatch: "*" } as const);
    await this.storage.put(pointerKey, `${JSON.stringify(pointer, null, 1)}\n`, condition);
  }

  /** Copies the catalog to a fixed address, for tools that can't look up the version's folder. */
  async writeCatalog({ folder }: RootVersion): Promise<void> {
    const found = await this.storage.find(`${folder}/${this.catalogKey}`);
    if (found) await this.storage.put(this.catalogKey, found.content);
    // Version 0.2 wrote views, which would describe a version that no longer exists.
    await this.storage.delete(["catalog.sql"]);
  }
}
