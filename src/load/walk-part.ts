import { appendFile, readFile } from "node:fs/promises";
import { countLines } from "./count-lines.ts";
import type { HistoryLanding } from "./history-landing.ts";
import { isPacked } from "./landing-chunks.ts";
import { LandingUnreadableError } from "./landing-unreadable-error.ts";

/** A zone's history of one kind, or what is new of it. */
export type WalkLanding = HistoryLanding & { source: "walk"; zoneId: number };

export function isWalk(landing: HistoryLanding): landing is WalkLanding {
  return landing.source === "walk" && landing.zoneId !== undefined;
}

/** A walk among those that it is loaded with. */
export interface WalkPart {
  landing: WalkLanding;
  loadId: number;
  bytes: number;
  lines: number;
  blank: number;
  /** Of the others before it, in the file that they are put into. */
  linesBefore: number;
}

/** These walks have to be loaded one by one. */
export class NotTogether extends Error {
  override readonly name = "NotTogether";
}

/**
 * Puts walks into one file.
 * @throws {LandingUnreadableError}
 */
export async function joinWalks(landings: readonly WalkLanding[], path: string): Promise<WalkPart[]> {
  const parts: WalkPart[] = [];
  let linesBefore = 0;
  await appendFile(path, "");
  for (const landing of landings) {
    if (isPacked(landing.path)) throw new NotTogether("a packed file");
    const text = await readFile(landing.path).catch((cause: unknown) => {
      throw new LandingUnreadableError(landing.path, { cause });
    });
    if (text.length > 0 && text.at(-1) !== 0x0a) throw new NotTogether("a last line without its end");
    const { lines, blank } = await countLines({ path: landing.path });
    parts.push({ landing, loadId: 0, bytes: text.length, lines, blank, linesBefore });
    linesBefore += lines;
    await appendFile(path, text);
  }
  return parts;
}
