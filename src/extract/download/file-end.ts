import { open, stat } from "node:fs/promises";

/** More than the longest line that a load takes. */
const tailBytes = 2 * 1024 * 1024;

/** Whether a JSON Lines file ends as a whole one does: empty, or with a last line that is one JSON object. */
export async function endsWithWholeLine(path: string): Promise<boolean> {
  const last = await lastLine(path);
  if (last === undefined) return true;
  try {
    const value: unknown = JSON.parse(last);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Bytes of a file. Blank lines alone are as little as no byte. */
export async function contentBytes(path: string): Promise<number> {
  const { size } = await stat(path);
  return size <= tailBytes && (await lastLine(path)) === undefined ? 0 : size;
}

/** Blank lines at the end aside; `undefined` when there is nothing else. Of a very long one, its end. */
export async function lastLine(path: string): Promise<string | undefined> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const length = Math.min(size, tailBytes);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const text = buffer.toString("utf8").trimEnd();
    return text === "" ? undefined : text.slice(text.lastIndexOf("\n") + 1);
  } finally {
    await file.close();
  }
}
