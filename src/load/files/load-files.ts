import { createWriteStream, statSync } from "node:fs";
import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createLandingId } from "../../state/data/landings.ts";
import { isGzip } from "../../util/files/file-content.ts";
import type { Kind } from "../../util/kind.ts";
import { VenueError } from "../../util/venue-error.ts";
import { type Workspace, withWarehouse } from "../../workspace/workspace.ts";
import { LandingUnreadableError } from "../errors.ts";
import { type LoadResult, loadHistory } from "../history/load-history.ts";
import { applyReference } from "../reference/apply-reference.ts";
import { removeLeftFolders, withTemporaryFolder } from "../temporary-folder.ts";
import { findForeignFormat } from "./file-format.ts";
import { readHead, withHistoryLines } from "./history-file.ts";

export const stdinName = "-";

export interface LoadFilesOptions {
  /** Absolute paths of JSON history files, plain or `.gz`. `-` stands for stdin and may appear once. */
  files: readonly string[];
  stdin: NodeJS.ReadableStream;
  kind: Kind;
  /** Called with the result of each file's load, in order. */
  onLoad: (load: LoadResult) => void;
  /** Called after a file's load with a note on each part that was ignored or is missing. */
  onNote?: (note: string) => void;
}

/**
 * Loads each history file separately, so that if one fails, the files before it stay loaded.
 * @returns the problems of reference files
 * @throws {VenueError} `NO_HISTORY_FILE` before anything is loaded
 * @throws {LandingUnreadableError}
 */
export async function loadFiles(workspace: Workspace, options: LoadFilesOptions): Promise<string[]> {
  const { folder, signal } = workspace;
  const { files, stdin } = options;
  for (const file of files) if (file !== stdinName) await assertHistoryFile(file, options.kind);
  await removeLeftFolders(folder.temp);
  if (!files.includes(stdinName)) return await loadEach(workspace, options);
  // Reads all of stdin before opening the warehouse, because a slow pipe would keep the warehouse locked.
  return await withSpooledInput(stdin, { folder: folder.temp, signal }, async (spooled) => {
    await assertJson(spooled, options.kind, inputName);
    return await loadEach(workspace, options, spooled);
  });
}

/** @param spooled file with the content of stdin */
async function loadEach(
  workspace: Workspace,
  { files, kind, onLoad, onNote = () => {} }: LoadFilesOptions,
  spooled = "",
): Promise<string[]> {
  const { folder, clock, signal } = workspace;
  return await withWarehouse(workspace, async (warehouse) => {
    const { problems } = await applyReference(warehouse, folder.reference);
    for (const file of files) {
      const [path, name] = file === stdinName ? [spooled, inputName] : [file, file];
      const landing = {
        landingId: createLandingId(),
        source: "file" as const,
        kind,
        requestedAt: clock.now(),
        isComplete: false,
      };
      try {
        await withHistoryLines(path, { name, folder: folder.temp, signal, onNote }, async (lines) =>
          onLoad(await loadHistory(warehouse, { ...landing, path: lines }, { loadedAt: new Date(), signal })),
        );
      } catch (error) {
        throw file === stdinName ? withInputName(error) : error;
      }
    }
    return problems;
  });
}

const inputName = "Standard input";

/** Replaces the temporary path of stdin in errors, because users do not know that path. */
function withInputName(error: unknown): unknown {
  return error instanceof LandingUnreadableError
    ? new LandingUnreadableError(inputName, { cause: error.cause })
    : error;
}

async function assertHistoryFile(path: string, kind: Kind): Promise<void> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw noHistoryFileError(path, found ? "is not a file" : "does not exist");
  if ((await isGzip(path)) !== path.endsWith(".gz")) {
    const reason = path.endsWith(".gz")
      ? "is not a gzip file, although its name ends in .gz"
      : "is a gzip file, but its name does not end in .gz";
    throw noHistoryFileError(path, reason);
  }
  await assertJson(path, kind, path);
}

async function assertJson(path: string, kind: Kind, name: string): Promise<void> {
  const format = findForeignFormat(await readHead(path));
  if (!format) return;
  const file = name !== path ? "FILE" : /^[\w./@+-]+$/.test(path) ? path : JSON.stringify(path);
  throw noHistoryFileError(
    name,
    `is ${format.name}, not JSON`,
    format.advice.replace("KIND", kind).replace("FILE", () => file),
  );
}

function noHistoryFileError(
  path: string,
  reason: string,
  advice = "Specify JSON Lines files, plain or .gz.",
): VenueError {
  return new VenueError("NO_HISTORY_FILE", "usage", `${path} ${reason}. Nothing was loaded. ${advice}`);
}

/**
 * Copies stdin byte for byte to a file for `body`, so that the load itself handles bad UTF-8 and long lines.
 * The name ends in `.gz` if the content is gzipped. The file is removed even if `body` throws.
 * @param folder parent folder of the temporary file
 * @throws {VenueError} `EMPTY_INPUT` if stdin is empty
 */
async function withSpooledInput<Result>(
  input: NodeJS.ReadableStream,
  { folder, signal }: { folder: string; signal: AbortSignal },
  body: (path: string) => Promise<Result>,
): Promise<Result> {
  return await withTemporaryFolder(folder, "stdin", async (own) => {
    const plain = join(own, "stdin.jsonl");
    await pipeline(input, createWriteStream(plain), { signal });
    if ((await stat(plain)).size === 0) throw emptyInputError();
    if (!(await isGzip(plain))) return await body(plain);
    await rename(plain, `${plain}.gz`);
    return await body(`${plain}.gz`);
  });
}

function emptyInputError(): VenueError {
  return new VenueError(
    "EMPTY_INPUT",
    "usage",
    "stdin is empty. Nothing was loaded. Check whether the program that writes to the pipe failed.",
  );
}
