import { existsSync } from "node:fs";
import { TrinoError } from "../../engines/errors.ts";
import { publishedOutdatedError } from "../../mart/errors.ts";
import { listModels } from "../../mart/model.ts";
import type { DataState } from "../../state/data/data-state.ts";
import type { UndeliveredMessage } from "../../state/data/outbox.ts";
import type { LastRun, Run, UnfinishedWork } from "../../state/data/runs.ts";
import type { Collector } from "../../state/data/stores.ts";
import type { PublishedMart } from "./published-mart.ts";

export async function findUnfinished(stateFile: string): Promise<UnfinishedWork[]> {
  return await readState(stateFile, [], ({ runs }) => runs.findUnfinished());
}

/** Returns the last runs, newest first. Pages show their notes, so file paths are reduced to file names. */
export async function listLastRuns(stateFile: string, limit: number): Promise<Run[]> {
  const listed = await readState(stateFile, [], ({ runs }) => runs.list(limit));
  return listed.map((run) => ({ ...run, note: run.note && removeFolders(run.note) }));
}

/** Returns the last finished run of each command; empty without a state. */
export async function listLastRunOfEach(stateFile: string): Promise<LastRun[]> {
  return await readState(stateFile, [], ({ runs }) => runs.listLast());
}

/** Returns the collectors of the landing store that this data folder loads from, oldest last landing first. */
export async function listCollectors(stateFile: string): Promise<Collector[]> {
  return await readState(stateFile, [], ({ stores }) => stores.listCollectors());
}

/** Number of days for which an undelivered message is reported. */
export const undeliveredDays = 30;

export interface Messages {
  /** Number of messages to be sent. */
  waiting: number;
  /** Messages abandoned in the last `undeliveredDays`, newest first. */
  undelivered: readonly UndeliveredMessage[];
}

/** Finds messages that did not reach their recipients; none if `state.db` is missing. Problems contain no folders. */
export async function findMessages(stateFile: string, now: Date): Promise<Messages> {
  const since = new Date(now.getTime() - undeliveredDays * 24 * 3_600_000);
  return await readState<Messages>(stateFile, { waiting: 0, undelivered: [] }, ({ outbox }) => ({
    waiting: outbox.countWaiting(),
    undelivered: outbox
      .listUndelivered(since)
      .map((message) => ({ ...message, problem: removeFolders(message.problem) })),
  }));
}

/** Reduces file paths in a string to file names. Keeps URLs, which have two slashes. */
function removeFolders(text: string): string {
  return text.replace(/ in \/.*? \((?=\d)/g, " (").replace(/(?<![\w.:/])\/[^\s"']*\//g, "");
}

/** @param without result if `state.db` is missing */
async function readState<Result>(
  stateFile: string,
  without: Result,
  read: (state: DataState) => Result,
): Promise<Result> {
  if (!existsSync(stateFile)) return without;
  // Imported only here, because few reports need SQLite, and loading it takes longer than a report.
  const { openDataState } = await import("../../state/data/data-state.ts");
  const state = openDataState(stateFile, { isReader: true });
  try {
    return read(state);
  } finally {
    state.close();
  }
}

type PublishedColumns = { tables: Readonly<Record<string, { columns: readonly { name: string }[] }>> };

/** Wraps a mart for statements of this program: if one uses an unknown name, the published version is outdated. */
export function withOutdatedErrors(mart: PublishedMart): PublishedMart {
  const translate = (error: unknown): never => {
    throw translateOutdated(error, mart);
  };
  return {
    ...mart,
    all: (sql, parameters) => mart.all<never>(sql, parameters).catch(translate),
    stream: (sql, parameters) => mart.stream(sql, parameters).catch(translate),
    defineStaging: (names) => mart.defineStaging(names).catch(translate),
  };
}

function translateOutdated(error: unknown, { version, listMissing }: PublishedMart): unknown {
  if (!isUnknownName(error)) return error;
  const missing = listMissing();
  return missing.length > 0 ? publishedOutdatedError(version, missing, { cause: error }) : error;
}

function isUnknownName(error: unknown): boolean {
  if (error instanceof TrinoError) return /^(TABLE|COLUMN)_NOT_FOUND$/.test(error.errorName);
  return error instanceof Error && /^(Catalog|Binder) Error: /.test(error.message);
}

export function listMissingColumns({ tables }: PublishedColumns): string[] {
  return listModels()
    .filter(({ schema }) => schema === "mart")
    .flatMap(({ table, columns }) => {
      const known = tables[table]?.columns.map(({ name }) => name);
      if (!known) return [table];
      return columns.flatMap(({ name }) => (known.includes(name) ? [] : [`${table}.${name}`]));
    });
}
