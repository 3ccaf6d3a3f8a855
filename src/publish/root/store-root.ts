import { hostname } from "node:os";
import { z } from "zod";
import { escapeGlob, sqlName, sqlText } from "../../engines/sql-text.ts";
import { type Manifest, versionGlob } from "../../mart/manifest.ts";
import type { Storage } from "../../storage/storage.ts";
import { publishTargetUnknownError } from "../errors.ts";
import { abandonedMs, separateExpired } from "./retention.ts";
import type { Pointer, Root, RootVersion } from "./root.ts";

/** Key of the object that decides which version readers see. */
const pointerKey = "current.json";
const catalogKey = "catalog.sql";

/** Version of the pointer's format, increased when older programs must no longer publish to the same place. */
const pointerFormat = 2;

const replacedVersion = z.object({
  folder: z.string(),
  /** ISO instant by the store's clock; absent for the version that was replaced last. */
  replaced_at: z.string().optional(),
});

const storedPointer = z.object({
  format: z.literal(pointerFormat),
  version: z.string(),
  /** Prefix of the version's files. */
  folder: z.string(),
  built_at: z.string(),
  published_at: z.string(),
  /** Host name of the publishing machine. */
  published_by: z.string(),
  /** Newest first. */
  replaced: z.array(replacedVersion),
});

/** The pointer of earlier versions of this program, whose files are in `files/` and `versions/`. */
const earlierPointer = z
  .object({
    format: z.literal(1),
    version: z.string(),
    built_at: z.string(),
    /** Key of the manifest. */
    manifest: z.string(),
    published_at: z.string(),
    published_by: z.string(),
  })
  .transform(({ manifest, ...pointer }) => ({
    ...pointer,
    folder: manifest.replace(/\/[^/]*$/, ""),
    replaced: [] as z.infer<typeof replacedVersion>[],
  }));

const anyPointer = z.union([storedPointer, earlierPointer]);

interface StorePointer extends Pointer {
  /** Newest first. */
  replaced: readonly z.infer<typeof replacedVersion>[];
}

/** A prefix of a store, in which the object `current.json` is the pointer. */
export class StoreRoot implements Root {
  readonly storage: Storage;

  constructor(storage: Storage) {
    this.storage = storage;
  }

  /** @throws {VenueError} `PUBLISH_TARGET_UNKNOWN` if a newer version of this program wrote it */
  async findPointer(): Promise<StorePointer | undefined> {
    const found = await this.storage.find(pointerKey);
    if (!found) return undefined;
    const content = parseJson(found.content.toString());
    const { format } = (content ?? {}) as { format?: unknown };
    if (Number(format) > pointerFormat) throw publishTargetUnknownError(this.storage.addressOf(pointerKey));
    const { data } = anyPointer.safeParse(content);
    return {
      ...{ state: found.version, shownAt: found.modifiedAt, folder: data?.folder },
      replaced: data?.replaced ?? [],
      publisher: data
        ? `${data.published_by} published ${data.version} there at ${data.published_at}`
        : "another program replaced its current.json",
    };
  }

  async movePointer({ folder, manifest }: RootVersion, before: StorePointer | undefined): Promise<void> {
    const { version, built_at } = manifest;
    const pointer: z.infer<typeof storedPointer> = {
      ...{ format: pointerFormat, version, folder, built_at },
      published_at: new Date().toISOString(),
      published_by: hostname(),
      replaced: before ? listReplaced(before) : [],
    };
    const condition = before ? { ifMatch: before.state } : ({ ifNoneMatch: "*" } as const);
    await this.storage.put(pointerKey, `${JSON.stringify(pointer, null, 1)}\n`, condition);
  }

  async listReplaced(pointer: StorePointer): Promise<{ kept: string[]; expired: string[] }> {
    return separate(pointer);
  }

  async hasCatalog({ folder }: Pointer): Promise<boolean> {
    const found = await this.storage.find(catalogKey);
    return found?.content.toString().startsWith(describeHeader(folder ?? "")) ?? false;
  }

  async writeCatalog({ folder, manifest }: RootVersion): Promise<void> {
    await this.storage.put(catalogKey, describeCatalog(this.storage, folder, manifest));
  }
}

/**
 * Lists the versions that the next pointer names as replaced: those kept, and for a day those expired, so that a killed
 * sweep is repeated.
 */
function listReplaced(pointer: StorePointer): z.infer<typeof replacedVersion>[] {
  const { folder: current, shownAt, replaced } = pointer;
  const { kept } = separate(pointer);
  const [latest, ...older] = replaced;
  const dated = latest ? [{ ...latest, replaced_at: shownAt.toISOString() }, ...older] : [];
  const named = dated.filter(
    ({ folder, replaced_at: at = "" }) =>
      kept.includes(folder) || shownAt.getTime() - Date.parse(at) <= abandonedMs,
  );
  return [...(current === undefined ? [] : [{ folder: current }]), ...named];
}

/** Every program that reads the same pointer gets the same result, because it depends on nothing else. */
function separate({ replaced, shownAt }: StorePointer): { kept: string[]; expired: string[] } {
  const dated = replaced.map(({ folder, replaced_at: at }) => ({
    folder,
    replacedAt: at === undefined ? undefined : new Date(at),
  }));
  return separateExpired(dated, shownAt);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeHeader(folder: string): string {
  return `-- Tables of ${folder}, `;
}

/** Describes the tables as views for DuckDB. */
function describeCatalog(storage: Storage, folder: string, { built_at, tables }: Manifest): string {
  const views = Object.entries(tables).flatMap(([table, { columns, files }]) => {
    const glob = `${escapeGlob(storage.addressOf(folder))}/${versionGlob(table, files)}`;
    return [
      `create or replace view ${table} as\nselect ${columns.map(({ name }) => sqlName(name)).join(", ")}\n` +
        `from read_parquet(${sqlText(glob)}, hive_partitioning = false);`,
      ...columns.map(
        ({ name, description }) => `comment on column ${table}.${sqlName(name)} is ${sqlText(description)};`,
      ),
    ];
  });
  return `${describeHeader(folder)}built ${built_at}, as views for DuckDB.\n${views.join("\n")}\n`;
}
