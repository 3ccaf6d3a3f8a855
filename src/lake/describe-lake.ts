import type { Storage } from "../storage/storage.ts";
import { LakeDamagedError, LakeTooNewError, lakeEmptyError } from "./errors.ts";
import { tableByMonth } from "./layout.ts";
import type { MachineManifest } from "./machine.ts";
import { findStoredManifest, listStoredMachines } from "./stored-lake.ts";

export interface MachineStatus {
  machine: string;
  /** First month with plays, as `YYYY-MM`; null if there are no plays. */
  fromMonth: string | null;
  toMonth: string | null;
  plays: number;
  rows: number;
  files: number;
  bytes: number;
  /** ISO instant. `dataAsOf` is an ISO instant too. */
  publishedAt: string;
  dataAsOf: string | null;
  softwareVersion: string;
}

export interface LakeStatus {
  machines: MachineStatus[];
  /** Errors of machines whose manifests cannot be read. */
  problems: (LakeDamagedError | LakeTooNewError)[];
}

/** @throws {VenueError} `LAKE_EMPTY` if no machine has published yet */
export async function describeLake(storage: Storage): Promise<LakeStatus> {
  const names = await listStoredMachines(storage);
  const status: LakeStatus = { machines: [], problems: [] };
  if (names.length === 0) throw lakeEmptyError(storage.location);
  for (const name of names) {
    try {
      const found = await findStoredManifest(storage, name);
      if (found) status.machines.push(describeMachine(found.manifest));
    } catch (error) {
      if (!(error instanceof LakeDamagedError || error instanceof LakeTooNewError)) throw error;
      status.problems.push(error);
    }
  }
  return status;
}

function describeMachine(manifest: MachineManifest): MachineStatus {
  const files = Object.values(manifest.tables).flatMap((table) => table.files);
  const played = manifest.tables[tableByMonth]?.files ?? [];
  const months = played.flatMap(({ month }) => month ?? []).sort();
  return {
    machine: manifest.name,
    fromMonth: months.at(0) ?? null,
    toMonth: months.at(-1) ?? null,
    plays: sum(played.map(({ rows }) => rows)),
    rows: sum(files.map(({ rows }) => rows)),
    files: files.length,
    bytes: sum(files.map(({ bytes }) => bytes)),
    publishedAt: manifest.published_at,
    dataAsOf: manifest.data_as_of,
    softwareVersion: manifest.software_version,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
