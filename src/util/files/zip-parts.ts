import { buffer } from "node:stream/consumers";
import { crc32, inflateRawSync } from "node:zlib";
import { ZipFile } from "yazl";

/** A file in a ZIP archive, e.g. in a workbook. */
export interface ZipPart {
  name: string;
  content: Buffer;
}

/** Signature of the record that ends an archive. */
export const endSignature = "PK\u0005\u0006";

/** @throws if the bytes are not an archive, or damaged */
export function unzip(bytes: Buffer): ZipPart[] {
  const end = bytes.lastIndexOf(endSignature, undefined, "latin1");
  if (end < 0) throw new Error("not a ZIP archive");
  let entry = bytes.readUInt32LE(end + 16);
  return Array.from({ length: bytes.readUInt16LE(end + 10) }, () => {
    const nameEnd = entry + 46 + bytes.readUInt16LE(entry + 28);
    const name = bytes.toString("utf8", entry + 46, nameEnd);
    const header = bytes.readUInt32LE(entry + 42);
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const stored = bytes.subarray(start, start + bytes.readUInt32LE(entry + 20));
    const content = bytes.readUInt16LE(entry + 10) === 0 ? stored : inflateRawSync(stored);
    if (crc32(content) !== bytes.readUInt32LE(entry + 16)) throw new Error(`${name} is damaged`);
    entry = nameEnd + bytes.readUInt16LE(entry + 30) + bytes.readUInt16LE(entry + 32);
    return { name, content };
  });
}

/** Returns an archive of the parts, uncompressed. */
export async function zipParts(parts: readonly ZipPart[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, content } of parts) zip.addBuffer(content, name, { compress: false });
  zip.end();
  return await buffer(zip.outputStream);
}
