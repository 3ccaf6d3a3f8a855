import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import type { EmulatedService } from "../emulated-service.ts";

const width = 64;
const height = 36;

/** A small PNG: two colours that depend on its name. */
export function picture(name: string): Buffer {
  const hash = createHash("sha256").update(name).digest();
  // Each row begins with a byte that names its filter: none.
  const rowOf = (colour: Buffer) => Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, colour)]);
  const [top, bottom] = [rowOf(hash.subarray(0, 3)), rowOf(hash.subarray(3, 6))];
  const rows = Array.from({ length: height }, (_, row) => (row < height / 2 ? top : bottom));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits per sample, RGB.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Address of a picture that can be fetched without credentials, from another origin than the main API's. */
export function pictureUrl({ origins }: EmulatedService, path: string): string {
  return `${origins.download}/pictures/${path}.png`;
}
