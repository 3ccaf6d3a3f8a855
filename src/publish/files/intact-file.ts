import { type BigIntStats, statSync } from "node:fs";
import { sha256Of } from "../../util/files/file-content.ts";

interface Expected {
  bytes: number;
  sha256: string;
  /** The manifest that says so. */
  manifestPath: string;
}

/**
 * Whether a file is as its manifest says. One that nobody wrote to since the manifest was written has the content whose
 * hash stands there; any other is read.
 */
export async function isIntact(file: string, { bytes, sha256, manifestPath }: Expected): Promise<boolean> {
  const status = findStatus(file);
  if (status?.size !== BigInt(bytes)) return false;
  const describedAt = findStatus(manifestPath)?.mtimeNs ?? 0n;
  return status.mtimeNs < describedAt || (await sha256Of(file)) === sha256;
}

function findStatus(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
