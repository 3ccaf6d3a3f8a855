import { readFileSync } from "node:fs";
import { createLogFile, listLogFiles } from "../../util/log-file.ts";

/** One request with a customer token. */
export interface Access {
  /** ISO 8601 in UTC. */
  at: string;
  share: string;
  /** Path and parameters, e.g. `/plays?by=zone`. */
  address: string;
  status: number;
}

/** Returns a function that records an access as a line of JSON. The log is next to `state.db`, so that no sync waits for it. */
export function createAccessLog(file: string): (access: Access) => void {
  const append = createLogFile(file, { mode: 0o600 });
  return (access) => append(`${JSON.stringify(access)}\n`);
}

/** Returns the last accesses, oldest first, with one customer token or all. Skips lines truncated by a crash. */
export function listAccesses(
  file: string,
  { share, limit }: { share?: string | undefined; limit: number },
): Access[] {
  const found: Access[] = [];
  for (const path of listLogFiles(file)) {
    for (const line of readFileSync(path, "utf8").split("\n").reverse()) {
      const access = parseAccess(line);
      if (access === undefined || (share !== undefined && access.share !== share)) continue;
      found.push(access);
      if (found.length === limit) return found.reverse();
    }
  }
  return found.reverse();
}

function parseAccess(line: string): Access | undefined {
  try {
    return JSON.parse(line) as Access;
  } catch {
    return undefined;
  }
}
