/** How files of a type begin: bytes at an offset. */
const beginnings: { extension: string; offset: number; bytes: Buffer }[] = [
  { extension: "png", offset: 0, bytes: Buffer.from("\x89PNG\r\n\x1a\n", "latin1") },
  { extension: "jpg", offset: 0, bytes: Buffer.from([0xff, 0xd8, 0xff]) },
  { extension: "gif", offset: 0, bytes: Buffer.from("GIF8", "latin1") },
  { extension: "webp", offset: 8, bytes: Buffer.from("WEBP", "latin1") },
  { extension: "avif", offset: 4, bytes: Buffer.from("ftypavif", "latin1") },
  { extension: "bmp", offset: 0, bytes: Buffer.from("BM", "latin1") },
];

/** What a picture is, by its own bytes: the usual file name extension; `undefined` for anything else. */
export function pictureType(bytes: Buffer): string | undefined {
  const found = beginnings.find(({ offset, bytes: wanted }) =>
    bytes.subarray(offset, offset + wanted.length).equals(wanted),
  );
  return found?.extension;
}
