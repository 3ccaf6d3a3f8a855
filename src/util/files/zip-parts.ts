import { buffer } from "node:stream/consumers";
import { crc32, inflateRawSync } from "node:zlib";
import { ZipFile } from "yazl";

/** A file in a ZIP archive, e.g. in a workbook. */
export interface ZipPart {
  name: string;
  content: Buffer;
}

/** Limits that prevent a small archive from filling the memory. */
export interface ZipLimits {
  parts: number;
  /** Total size of all contents. */
  bytes: number;
}

const endSignature = "PK\u0005\u0006";
const endLength = 22;
const noLimits: ZipLimits = { parts: 65_535, bytes: 0xffff_ffff };

/** @throws if the bytes are not a ZIP archive, are damaged, or exceed a limit */
export function unzip(bytes: Buffer, limits: ZipLimits = noLimits): ZipPart[] {
  const end = bytes.lastIndexOf(endSignature, undefined, "latin1");
  if (end < 0) throw new Error("not a ZIP archive");
  const count = bytes.readUInt16LE(end + 10);
  if (count > limits.parts) throw new Error(`${count} parts; at most ${limits.parts} are accepted`);
  let entry = bytes.readUInt32LE(end + 16);
  let rest = limits.bytes;
  return Array.from({ length: count }, () => {
    const nameEnd = entry + 46 + bytes.readUInt16LE(entry + 28);
    const name = bytes.toString("utf8", entry + 46, nameEnd);
    const header = bytes.readUInt32LE(entry + 42);
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const stored = bytes.subarray(start, start + bytes.readUInt32LE(entry + 20));
    const content = bytes.readUInt16LE(entry + 10) === 0 ? stored : inflate(stored, rest);
    rest -= content?.length ?? Number.POSITIVE_INFINITY;
    if (content === undefined || rest < 0) throw new Error(`more than ${limits.bytes / 1e6} MB unpacked`);
    if (crc32(content) !== bytes.readUInt32LE(entry + 16)) throw new Error(`${name} is damaged`);
    entry = nameEnd + bytes.readUInt16LE(entry + 30) + bytes.readUInt16LE(entry + 32);
    return { name, content };
  });
}

/** Decompresses a part; `undefined` if the result would exceed the limit. @throws if there are trailing bytes */
function inflate(stored: Buffer, limit: number): Buffer | undefined {
  try {
    const found: unknown = inflateRawSync(stored, { maxOutputLength: Math.max(1, limit), info: true });
    const { buffer: content, engine } = found as { buffer: Buffer; engine: { bytesWritten: number } };
    if (engine.bytesWritten !== stored.length) throw new Error("bytes follow the end of a part");
    return content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return undefined;
    throw error;
  }
}

/**
 * Returns the reason why another program could read other content than `unzip`. Some programs read the directory at
 * the end, others the parts' headers, and others any text. Returns `undefined` if directory and headers agree, and
 * the archive contains nothing else.
 */
export function findZipConflict(bytes: Buffer): string | undefined {
  const end = bytes.length - endLength;
  if (bytes.toString("latin1", end, end + 4) !== endSignature) return "bytes follow its end";
  if (bytes.readUInt16LE(end + 8) !== bytes.readUInt16LE(end + 10)) return "it counts its parts twice";
  const directory = bytes.readUInt32LE(end + 16);
  const names = new Set<string>();
  let entry = directory;
  let header = 0;
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
    const facts = bytes.subarray(entry + 16, entry + 28);
    const nameEnd = entry + 46 + bytes.readUInt16LE(entry + 28);
    const name = bytes.toString("latin1", entry + 46, nameEnd);
    const ownNameEnd = header + 30 + bytes.readUInt16LE(header + 26);
    const contentEnd = ownNameEnd + facts.readUInt32LE(4);
    // Extra fields are not shown by any program, and could contain anything.
    if (bytes.readUInt16LE(header + 28) + bytes.readUInt32LE(entry + 30) > 0)
      return `it has other fields for ${name}`;
    // The checksum and sizes of a streamed part follow its content.
    const isStreamed = (bytes.readUInt16LE(entry + 8) & 8) !== 0;
    const ownFacts = isStreamed ? contentEnd + 4 : header + 14;
    if (names.has(name)) return `it has ${name} twice`;
    names.add(name);
    const isSame =
      bytes.readUInt32LE(entry + 42) === header &&
      bytes.toString("latin1", header + 30, ownNameEnd) === name &&
      // Flags and method.
      bytes.subarray(header + 6, header + 10).equals(bytes.subarray(entry + 8, entry + 12)) &&
      bytes.subarray(ownFacts, ownFacts + 12).equals(facts);
    if (!isSame) return `its directory and the header of ${name} differ`;
    header = isStreamed ? contentEnd + 16 : contentEnd;
    entry = nameEnd;
  }
  return header === directory && entry === end ? undefined : "it has bytes that belong to no part";
}

/** Returns an archive of the parts, uncompressed. */
export async function zipParts(parts: readonly ZipPart[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, content } of parts)
    zip.addBuffer(content, name, { compress: false, forceDosTimestamp: true });
  zip.end();
  return await buffer(zip.outputStream);
}
