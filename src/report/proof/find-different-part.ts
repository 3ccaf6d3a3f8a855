import { endSignature, unzip, type ZipPart } from "../../util/files/zip-parts.ts";

/**
 * Returns the first part of a workbook that differs from the expected one, e.g. in a number format, a hidden row or a
 * formula, which its values don't show; `undefined` if all are equal. Compression may differ between versions of Node.
 */
export function findDifferentPart(bytes: Buffer, expected: Buffer): string | undefined {
  const found = tryUnzip(bytes);
  if (found === undefined) return "the archive";
  const parts = tryUnzip(expected) ?? [];
  const index = Array.from({ length: Math.max(found.length, parts.length) }).findIndex(
    (_, at) =>
      found[at]?.name !== parts[at]?.name || !parts[at]?.content.equals(found[at]?.content ?? nothing),
  );
  return index === -1 ? undefined : (found[index]?.name ?? parts[index]?.name);
}

const nothing = Buffer.alloc(0);

/** Returns `undefined` if the bytes are not an archive as `yazl` writes it, e.g. one that something follows. */
function tryUnzip(bytes: Buffer): ZipPart[] | undefined {
  const end = bytes.length - 22;
  if (bytes.toString("latin1", end, end + 4) !== endSignature) return undefined;
  try {
    return unzip(bytes);
  } catch {
    return undefined;
  }
}
