import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { type Context, Hono } from "hono";
import type { EmulatedService } from "../emulated-service.ts";
import { drawPicture } from "../endpoints/devices.ts";
import { applyEndpointFaults } from "../faults/endpoint-faults.ts";
import type { FaultName } from "../faults/fault-table.ts";
import { alreadySent, RefusalError, respondToErrors } from "../refusal-error.ts";
import { sendBody } from "../responses/send-body.ts";
import type { ServiceEnv } from "../service-env.ts";
import type { ExportFile } from "./export-file.ts";
import type { ExportJob } from "./export-jobs.ts";

const pictureFolders = ["screenshots", "artwork", "playlists", "users"];

/**
 * Origin for downloads of exports and pictures; it checks links, not clients.
 * @param isMirror true for the third origin, the target of the fault `redirect`
 */
export function createDownloadOrigin(service: EmulatedService, isMirror: boolean): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  respondToErrors(app);
  app.use(service.log.middleware("download"));
  app.use(applyEndpointFaults(service));

  app.get("/pictures/:folder/:file{.+\\.png}", (c) => {
    rejectToken(c);
    const folder = c.req.param("folder");
    if (!pictureFolders.includes(folder))
      throw new RefusalError(404, "not_found", `Unknown picture folder ${folder}.`);
    return c.body(Uint8Array.from(drawPicture(c.req.path)), 200, { "Content-Type": "image/png" });
  });

  app.get("/exports/:job_id", async (c) => {
    const job = checkLink(c, service);
    const { search, pathname } = new URL(c.req.url);
    if (!isMirror && service.faults.strike("redirect", c.get("target"))) {
      return c.redirect(`${service.origins.mirror}${pathname}${search}`, 302);
    }
    return await sendExport(c, service, job);
  });
  return app;
}

/** @throws {RefusalError} 400 if the request contains an access token, 403 for an invalid link */
function checkLink(c: Context<ServiceEnv>, { faults, jobs, links }: EmulatedService): ExportJob {
  rejectToken(c);
  const jobId = c.req.param("job_id") ?? "";
  const isValid = links.isValid(jobId, c.req.query("expires") ?? "", c.req.query("signature") ?? "");
  const job = jobs.find(jobId);
  if (!job || !isValid || faults.strike("expired-link", c.get("target"))) {
    throw new RefusalError(403, "link_expired", "The link is wrong or has expired.");
  }
  return job;
}

/** @throws {RefusalError} 400 if the request contains an access token */
function rejectToken(c: Context<ServiceEnv>): void {
  if (c.req.header("authorization") === undefined) return;
  throw new RefusalError(400, "unexpected_authorization", "Downloads take no Authorization header.");
}

async function sendExport(
  c: Context<ServiceEnv>,
  { faults, settings, closing }: EmulatedService,
  { file }: ExportJob,
): Promise<Response> {
  const target = c.get("target");
  const ifRange = c.req.header("if-range");
  const isRangeTaken = (!ifRange || ifRange === file.etag) && !faults.strike("ignore-range", target);
  const range = isRangeTaken ? parseByteRange(c.req.header("range"), file.sizeBytes) : undefined;
  if (range === "unsatisfiable") {
    c.header("Content-Range", `bytes */${file.sizeBytes}`);
    throw new RefusalError(416, "range_not_satisfiable", `The file has ${file.sizeBytes} bytes.`);
  }

  const { status, headers, body, ending } = planDownload(file, range, (name) => faults.strike(name, target));
  const { outgoing } = c.env;
  const record = c.get("record");
  record.status = status;
  record.sentBytes = 0;
  outgoing.writeHead(status, headers);
  await sendBody(outgoing, body, {
    bytesPerSecond: settings.downloadBytesPerSecond,
    closing,
    onSent: (bytes) => {
      record.sentBytes = (record.sentBytes ?? 0) + bytes;
    },
  });
  if (ending === "whole") outgoing.end();
  // The connection is cut only after the written data was sent.
  if (ending === "cut") outgoing.write("", () => outgoing.destroy());
  return alreadySent;
}

interface DownloadPlan {
  status: 200 | 206;
  headers: Record<string, string>;
  body: AsyncIterable<Buffer>;
  /** State of the connection after the body: closed normally (`whole`), `cut`, or left `open` and silent. */
  ending: "whole" | "cut" | "open";
}

/** Plans a normal response, or one that a fault alters. @param range undefined for the whole file */
function planDownload(
  file: ExportFile,
  range: ByteRange | undefined,
  strike: (name: FaultName) => { value: number | undefined } | undefined,
): DownloadPlan {
  const { fromByte, toByte } = range ?? { fromByte: 0, toByte: file.sizeBytes };
  const lengthBytes = toByte - fromByte;
  const status = range ? 206 : 200;
  const common = { "Content-Type": "application/x-ndjson", ETag: file.etag, "Cache-Control": "no-store" };
  const silent = { ...common, ...(range && formatContentRange(range, file.sizeBytes)) };
  const sound = { ...silent, "Accept-Ranges": "bytes", "Content-Length": String(lengthBytes) };
  /** Returns the first bytes of the body, by default half of it. */
  const part = (bytes = Math.floor(lengthBytes / 2)) =>
    file.read(fromByte, Math.min(toByte, fromByte + Math.max(0, bytes)));

  const truncate = strike("truncate");
  if (truncate) return { status, headers: sound, body: part(truncate.value), ending: "cut" };
  const stall = strike("stall");
  if (stall) return { status, headers: sound, body: part(stall.value), ending: "open" };
  const silently = strike("truncate-silently");
  if (silently) return { status, headers: silent, body: part(silently.value), ending: "whole" };
  const atLine = strike("truncate-at-line");
  if (atLine) return { status, headers: silent, body: dropPartialLine(part(atLine.value)), ending: "whole" };
  if (strike("gzip")) {
    const headers = { ...common, "Content-Encoding": "gzip" };
    return { status: 200, headers, body: compress(file.read(0, file.sizeBytes)), ending: "whole" };
  }
  return { status, headers: sound, body: file.read(fromByte, toByte), ending: "whole" };
}

function formatContentRange({ fromByte, toByte }: ByteRange, sizeBytes: number): Record<string, string> {
  return { "Content-Range": `bytes ${fromByte}-${toByte - 1}/${sizeBytes}` };
}

/** Drops the bytes after the last newline. */
async function* dropPartialLine(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of body) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf("\n") + 1;
    yield bytes.subarray(0, end);
    rest = bytes.subarray(end);
  }
}

function compress(body: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  // The callback ignores errors, because they surface where the result is read.
  return pipeline(Readable.from(body), createGzip(), () => {});
}

/** A range of a file's bytes, the end exclusive. */
interface ByteRange {
  fromByte: number;
  toByte: number;
}

/**
 * Parses a `Range` header (RFC 9110, section 14). Returns undefined for the whole file or an invalid header.
 */
function parseByteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | "unsatisfiable" | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  const fromByte = first === "" ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const toByte = first === "" || last === "" ? sizeBytes : Math.min(sizeBytes, Number(last) + 1);
  if (first !== "" && last !== "" && Number(last) < fromByte) return undefined;
  return fromByte < toByte ? { fromByte, toByte } : "unsatisfiable";
}
