import { inflateRawSync } from "node:zlib";

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

interface Part {
  name: string;
  content: Buffer;
}

/** Returns `undefined` if the bytes are not an archive as `yazl` writes it, e.g. one that something follows. */
function tryUnzip(bytes: Buffer): Part[] | undefined {
  try {
    const end = bytes.length - 22;
    if (bytes.toString("latin1", end, end + 4) !== "PK\u0005\u0006") return undefined;
    let entry = bytes.readUInt32LE(end + 16);
    return Array.from({ length: bytes.readUInt16LE(end + 10) }, () => {
      const nameLength = bytes.readUInt16LE(entry + 28);
      const name = bytes.toString("utf8", entry + 46, entry + 46 + nameLength);
      const header = bytes.readUInt32LE(entry + 42);
      const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
      const content = inflateRawSync(bytes.subarray(start, start + bytes.readUInt32LE(entry + 20)));
      entry += 46 + nameLength + bytes.readUInt16LE(entry + 30) + bytes.readUInt16LE(entry + 32);
      return { name, content };
    });
  } catch {
    return undefined;
  }
}
