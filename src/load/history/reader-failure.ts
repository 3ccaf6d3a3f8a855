/** DuckDB's reader can't be used on the lines as they are. */
export class ReaderFailure extends Error {
  override readonly name = "ReaderFailure";
}

/** It throws on an object that goes on over the end of a line, and on lines beyond its buffer. */
export function isReaderFailure(error: unknown): boolean {
  if (error instanceof ReaderFailure) return true;
  return error instanceof Error && /Malformed JSON|maximum_object_size/i.test(error.message);
}
