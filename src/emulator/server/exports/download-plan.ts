import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { FaultName } from "../faults/fault-table.ts";
import type { ByteRange } from "./byte-range.ts";
import type { ExportFile } from "./export-file.ts";

/** How a download is answered. */
export interface DownloadPlan {
  status: 200 | 206;
  headers: Record<string, string>;
  body: AsyncIterable<Buffer>;
  /** What happens to the connection after the body: `cut` it, or leave it `open` and silent. */
  ending: "whole" | "cut" | "open";
}

/**
 * A sound answer, or one that a fault spoils.
 * @param range undefined: the whole file
 * @param strike whether a fault strikes this download
 */
export function planDownload(
  file: ExportFile,
  range: ByteRange | undefined,
  strike: (name: FaultName) => { value: number | undefined } | undefined,
): DownloadPlan {
  const { fromByte, toByte } = range ?? { fromByte: 0, toByte: file.sizeBytes };
  const lengthBytes = toByte - fromByte;
  const status = range ? 206 : 200;
  const common = { "Content-Type": "application/x-ndjson", ETag: file.etag, "Cache-Control": "no-store" };
  const silent = { ...common, ...(range && contentRange(range, file.sizeBytes)) };
  const sound = { ...silent, "Accept-Ranges": "bytes", "Content-Length": String(lengthBytes) };
  /** The body up to so many bytes; without a number, up to its middle. */
  const part = (bytes = Math.floor(lengthBytes / 2)) =>
    file.read(fromByte, Math.min(toByte, fromByte + Math.max(0, bytes)));

  const truncate = strike("truncate");
  if (truncate) return { status, headers: sound, body: part(truncate.value), ending: "cut" };
  const stall = strike("stall");
  if (stall) return { status, headers: sound, body: part(stall.value), ending: "open" };
  const silently = strike("truncate-silently");
  if (silently) return { status, headers: silent, body: part(silently.value), ending: "whole" };
  const atLine = strike("truncate-at-line");
  if (atLine) return { status, headers: silent, body: wholeLines(part(atLine.value)), ending: "whole" };
  if (strike("gzip")) {
    const headers = { ...common, "Content-Encoding": "gzip" };
    return { status: 200, headers, body: gzipped(file.read(0, file.sizeBytes)), ending: "whole" };
  }
  return { status, headers: sound, body: file.read(fromByte, toByte), ending: "whole" };
}

function contentRange({ fromByte, toByte }: ByteRange, sizeBytes: number): Record<string, string> {
  return { "Content-Range": `bytes ${fromByte}-${toByte - 1}/${sizeBytes}` };
}

/** Leaves out what follows the last newline. */
async function* wholeLines(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of body) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf("\n") + 1;
    yield bytes.subarray(0, end);
    rest = bytes.subarray(end);
  }
}

function gzipped(body: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  // Failures surface where the result is read.
  return pipeline(Readable.from(body), createGzip(), () => {});
}
