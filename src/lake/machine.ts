import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import { VenueError } from "../util/venue-error.ts";
import { LakeDamagedError, LakeTooNewError, machineNumberTakenError } from "./errors.ts";
import { lakeTypes, machinesFolder, manifestFile } from "./layout.ts";

/**
 * Columns with ids that each warehouse assigns itself, starting at 1. In the lake, these ids are made unique
 * across machines.
 */
const ownIds = new Set(["load_id", "first_load_id", "last_load_id", "snapshot_id", "rule_id"]);

/** Returns true for columns whose values are increased by the machine's `computeFirstId` in the lake. */
export function isOwnId(column: string): boolean {
  return ownIds.has(column);
}

/** @throws {VenueError} `MACHINE_NAME_INVALID` if the name cannot be part of a path */
export function checkMachineName(name: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) throw machineNameError(name);
}

/** Returns a 20-bit hash of a machine's name. Ignores case, because some file systems do. */
export function computeMachineNumber(name: string): number {
  return Number.parseInt(createHash("sha256").update(name.toLowerCase()).digest("hex").slice(0, 5), 16);
}

/** Returns the offset that is added to a machine's own ids in the lake. The sums stay below 2^53. */
export function computeFirstId(name: string): number {
  return computeMachineNumber(name) * 2 ** 32;
}

function machineNameError(machine: string): VenueError {
  return new VenueError(
    "MACHINE_NAME_INVALID",
    "usage",
    `The machine name ${JSON.stringify(machine)} is invalid. Use up to 64 letters, digits, - and _, starting with a letter or digit.`,
  );
}

/** Version of the manifest format. It is increased whenever older readers could no longer read it. */
export const manifestFormat = 1;

const count = z.number().int().nonnegative();
const month = z.string().regex(/^\d{4}-\d{2}$/);

const file = z.object({
  /** Path relative to the lake. */
  path: z.string().regex(/^core\/\w+\/machine=[\w-]+\/(month=\d{4}-\d{2}\/)?[0-9a-f]{16}\/data\.parquet$/),
  rows: count,
  bytes: count,
  sha256: z.string(),
  /** Month of the plays' local dates, as `YYYY-MM`; absent for other tables. */
  month: month.optional(),
});

/** `retired_at` is an ISO instant by the store's clock; it is absent if this manifest retired the file. */
const retiredFile = file.extend({ retired_at: z.string().optional() });

const day = z.object({
  kind: z.string(),
  /** Local date, as `YYYY-MM-DD`. */
  date: z.string(),
  plays: count,
  /** Equal for two days only if all columns of all their plays are equal, regardless of order. */
  fingerprint: z.string(),
});

const table = z.object({
  columns: z.array(z.object({ name: z.string().regex(/^\w+$/), type: z.enum(lakeTypes) })).min(1),
  files: z.array(file),
  /** Each day with plays. Only in the table of plays. */
  days: z.array(day).optional(),
});

const manifest = z.object({
  format: z.literal(manifestFormat),
  name: z.string(),
  /** ISO instant. */
  published_at: z.string(),
  software_version: z.string(),
  /** Null if the software was not installed from a Git clone, or is older than 0.2.0. */
  software_commit: z.string().nullable().default(null),
  /** ISO instant up to which the data is complete; null if nothing was ever loaded. */
  data_as_of: z.string().nullable(),
  /** Tables by name, without schema. */
  tables: z.record(z.string(), table),
  /** Only in a store: files that this manifest no longer uses, kept for readers of earlier manifests. */
  retired: z.array(retiredFile).optional(),
});

/**
 * Content of `machines/NAME.json`, from which readers learn a machine's files. It is replaced with a single
 * rename after the files are on disk.
 */
export type MachineManifest = z.infer<typeof manifest>;
export type LakeTable = z.infer<typeof table>;
export type LakeFile = z.infer<typeof file>;
export type RetiredFile = z.infer<typeof retiredFile>;
export type LakeDay = z.infer<typeof day>;

export function listMachines(lake: string): string[] {
  return listNames(machinesFolder(lake))
    .flatMap((name) => /^(\w[\w-]*)\.json$/.exec(name)?.[1] ?? [])
    .sort();
}

/**
 * Returns a machine's last published manifest, or `undefined` if it has none.
 * @throws {LakeDamagedError}
 * @throws {LakeTooNewError}
 */
export function findManifest(lake: string, machine: string): MachineManifest | undefined {
  const path = manifestFile(lake, machine);
  const text = readIfExists(path);
  if (text === undefined) return undefined;
  return parseManifest(text, path, machine);
}

/**
 * @param place path or URL of the text, for error messages
 * @throws {LakeDamagedError}
 * @throws {LakeTooNewError}
 */
export function parseManifest(text: string, place: string, machine: string): MachineManifest {
  const content = parseJson(text);
  const { format } = z.object({ format: z.number() }).safeParse(content).data ?? {};
  if (format !== undefined && format > manifestFormat) throw new LakeTooNewError(place);
  const parsed = manifest.safeParse(content);
  const [issue] = parsed.error?.issues ?? [];
  if (!parsed.success) {
    const wrong = issue?.path.join(".") || "it";
    throw new LakeDamagedError(machine, `${place} is not a manifest (${wrong}: ${issue?.message})`);
  }
  if (parsed.data.name !== machine)
    throw new LakeDamagedError(machine, `${place} is the manifest of ${parsed.data.name}`);
  return parsed.data;
}

/** @throws {VenueError} `MACHINE_NUMBER_TAKEN` if another machine has the same number */
export function checkNumberIsFree(machines: readonly string[], name: string): void {
  const other = machines.find(
    (machine) => machine !== name && computeMachineNumber(machine) === computeMachineNumber(name),
  );
  if (other !== undefined) throw machineNumberTakenError(name, other);
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
