import { createWriteStream } from "node:fs";
import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { isGzip } from "../../util/files/file-content.ts";
import { VenueError } from "../../util/venue-error.ts";
import { withTemporaryFolder } from "../temporary-folder.ts";

/**
 * Keeps what is piped in as a file for `body`, to the byte: a load has to see bad UTF-8 and long lines as they are. Its
 * name ends in `.gz` where its first bytes say so. The file is removed however `body` ends.
 * @param folder for temporary files
 * @throws {EmptyInputError} when nothing comes
 */
export async function withSpooledInput<Result>(
  input: NodeJS.ReadableStream,
  { folder, signal }: { folder: string; signal: AbortSignal },
  body: (path: string) => Promise<Result>,
): Promise<Result> {
  return await withTemporaryFolder(folder, "stdin", async (own) => {
    const plain = join(own, "stdin.jsonl");
    await pipeline(input, createWriteStream(plain), { signal });
    if ((await stat(plain)).size === 0) throw new EmptyInputError();
    if (!(await isGzip(plain))) return await body(plain);
    await rename(plain, `${plain}.gz`);
    return await body(`${plain}.gz`);
  });
}

/** Whatever should have written to stdin wrote nothing: most likely it failed. */
class EmptyInputError extends VenueError {
  override readonly name = "EmptyInputError";
  readonly code = "EMPTY_INPUT";
  readonly category = "usage";

  constructor() {
    super("stdin is empty. Look whether the program before the pipe failed; nothing was loaded.");
  }
}
