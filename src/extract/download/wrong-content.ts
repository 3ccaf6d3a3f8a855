import { open } from "node:fs/promises";
import { VenueError } from "../../util/venue-error.ts";
import { lastLine } from "./file-end.ts";

const headBytes = 1024 * 1024;
const longestShown = 30;

/**
 * What a file begins with that holds something else than history: an error page that is sent as a file, say.
 * Lines may be broken, as long as one of them looks like history; so may a file be empty.
 */
export async function findWrongContent(path: string): Promise<string | undefined> {
  const head = await beginningOf(path);
  if (head.trim() === "") return undefined;
  if (head.split("\n").some(isLikeHistory) || isLikeHistory((await lastLine(path)) ?? "")) return undefined;
  return head
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, longestShown);
}

function isLikeHistory(line: string): boolean {
  return line.trimStart().startsWith("{") && line.includes('"zone_id"');
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A download came to its end, but is no history. */
export class WrongContentError extends VenueError {
  override readonly name = "WrongContentError";
  readonly code = "WRONG_CONTENT";
  readonly category = "service";
}
