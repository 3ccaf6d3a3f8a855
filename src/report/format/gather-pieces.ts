/** Each write costs a system call, so small pieces are gathered to about this many characters. */
const gatheredLength = 64 * 1024;

/** The same text in fewer pieces; bytes pass as they are. */
export async function* gatherPieces(
  pieces: AsyncIterable<string | Uint8Array>,
): AsyncIterableIterator<string | Uint8Array> {
  let gathered = "";
  for await (const piece of pieces) {
    if (typeof piece === "string") gathered += piece;
    if (gathered.length >= gatheredLength || (typeof piece !== "string" && gathered !== "")) {
      yield gathered;
      gathered = "";
    }
    if (typeof piece !== "string") yield piece;
  }
  if (gathered !== "") yield gathered;
}
