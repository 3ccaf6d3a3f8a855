import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import { VenueError } from "../util/venue-error.ts";
import { LakeDamagedError, LakeTooNewError, machineNumberTakenError } from "./errors.ts";
import { lakeTypes, machinesFolder, manifestFile } from "./layout.ts";

/** Columns whose numbers a warehouse gives out itself, from 1 on. In the lake they are unique over machines. */
const ownIds = new Set(["load_id", "first_load_id", "last_load_id", "snapshot_id", "rule_id"]);

/** Whether the lake adds the machine's `firstIdOf` to the values of a column. */
export function isOwnId(column: string): boolean {
  return ownIds.has(column);
}

/** @throws {VenueError} `MACHINE_NAME_INVALID` when the name can't be part of a path */
export function checkMachineName(name: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) throw machineNameError(name);
}

/** 20 bits. Names that differ in case alone have the same: not every file system tells them apart. */
export function machineNumber(name: string): number {
  return Number.parseInt(createHash("sha256").update(name.toLowerCase()).digest("hex").slice(0, 5), 16);
}

/** What a machine's own ids begin at in the lake; they stay below 2^53. */
export function firstIdOf(name: string): number {
  return machineNumber(name) * 2 ** 32;
}

/** A machine's name that can't be part of a path. */
function machineNameError(machine: string): VenueError {
  return new VenueError(
    "MACHINE_NAME_INVALID",
    "usage",
    `The machine's name is ${JSON.stringify(machine)}. It takes up to 64 letters, digits, - and _, the first a letter or digit.`,
  );
}

/** Raised when a reader of the one before could not read it. */
export const manifestFormat = 1;

const count = z.number().int().nonnegative();
const month = z.string().regex(/^\d{4}-\d{2}$/);

const file = z.object({
  /** Relative to the lake. */
  path: z.string().regex(/^core\/\w+\/machine=[\w-]+\/(month=\d{4}-\d{2}\/)?[0-9a-f]{16}\/data\.parquet$/),
  rows: count,
  bytes: count,
  sha256: z.string(),
  /** `YYYY-MM`, of the local dates of plays; other tables have one file. */
  month: month.optional(),
});

const day = z.object({
  kind: z.string(),
  /** Local, `YYYY-MM-DD`. */
  date: z.string(),
  plays: count,
  /** The same only while all columns of all the day's plays are, whatever their order. */
  fingerprint: z.string(),
});

const table = z.object({
  columns: z.array(z.object({ name: z.string().regex(/^\w+$/), type: z.enum(lakeTypes) })).min(1),
  files: z.array(file),
  /** Of plays alone: each day that has any. */
  days: z.array(day).optional(),
});

const manifest = z.object({
  format: z.literal(manifestFormat),
  name: z.string(),
  /** ISO instant. */
  published_at: z.string(),
  software_version: z.string(),
  /** Unknown to versions before 0.2.0, and outside a clone. */
  software_commit: z.string().nullable().default(null),
  /** ISO instant: nothing that the service had before is missing; null when nothing was ever loaded. */
  data_as_of: z.string().nullable(),
  /** By name, without schema. */
  tables: z.record(z.string(), table),
});

/** `machines/NAME.json`: all that readers see of a machine. It is swapped by one rename, after what it names is on disk. */
export type MachineManifest = z.infer<typeof manifest>;
export type LakeTable = z.infer<typeof table>;
export type LakeFile = z.infer<typeof file>;
export type LakeDay = z.infer<typeof day>;

/** The machines that have published into a lake, by name. */
export function listMachines(lake: string): string[] {
  return listNames(machinesFolder(lake))
    .flatMap((name) => /^(\w[\w-]*)\.json$/.exec(name)?.[1] ?? [])
    .sort();
}

/**
 * What a machine published last; `undefined` when it did not.
 * @throws {LakeDamagedError}
 * @throws {LakeTooNewError}
 */
export function findManifest(lake: string, machine: string): MachineManifest | undefined {
  const path = manifestFile(lake, machine);
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  const content = parseJson(text);
  const { format } = z.object({ format: z.number() }).safeParse(content).data ?? {};
  if (format !== undefined && format > manifestFormat) throw new LakeTooNewError(path);
  const parsed = manifest.safeParse(content);
  const [issue] = parsed.error?.issues ?? [];
  if (!parsed.success) {
    const place = issue?.path.join(".") || "it";
    throw new LakeDamagedError(machine, `${path} is not a manifest (${place}: ${issue?.message})`);
  }
  if (parsed.data.name !== machine)
    throw new LakeDamagedError(machine, `${path} is the manifest of ${parsed.data.name}`);
  return parsed.data;
}

/**
 * What each machine published last, by name. Whoever builds reads this once: each machine's set is whole, and its files
 * stay for ten minutes after the machine has published others.
 * @throws {LakeDamagedError}
 * @throws {LakeTooNewError}
 * @throws {VenueError} `MACHINE_NUMBER_TAKEN` when ids of two machines would be the same
 */
export function readManifests(lake: string): MachineManifest[] {
  const names = listMachines(lake);
  for (const name of names) checkNumberIsFree(names, name);
  return names.flatMap((name) => findManifest(lake, name) ?? []);
}

/** @throws {VenueError} `MACHINE_NUMBER_TAKEN` when another machine has the same number */
export function checkNumberIsFree(machines: readonly string[], name: string): void {
  const other = machines.find(
    (machine) => machine !== name && machineNumber(machine) === machineNumber(name),
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

function readIfThere(path: string): string | undefined {
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
