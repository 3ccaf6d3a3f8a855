import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { picture } from "../endpoints/devices.ts";
import { applyFaults } from "../faults/fault-layer.ts";
import { RefusalError, respondToErrors } from "../refusal-error.ts";
import { logRequests, type RequestRecord, type Service, type ServiceEnv } from "../service.ts";

/** Origin for downloads of exports and pictures. It checks links, but not clients. */
export function createDownloadOrigin(service: Service): Hono<ServiceEnv> {
  const { jobs, links } = service;
  const app = new Hono<ServiceEnv>();
  respondToErrors(app);
  app.use(logRequests(service, "download"));
  app.use(applyFaults(service));
  app.use(async (c, next) => {
    if (c.req.header("authorization") === undefined) return await next();
    throw new RefusalError(400, "unexpected_authorization", "Downloads take no Authorization header.");
  });

  app.get("/pictures/:folder{screenshots|artwork|playlists|users}/:file{.+\\.png}", (c) =>
    c.body(Uint8Array.from(picture), 200, { "Content-Type": "image/png" }),
  );

  app.get("/exports/:job_id", (c) => {
    const jobId = c.req.param("job_id");
    const signature = c.req.query("signature") ?? "";
    const file = jobs.find(jobId)?.file;
    if (!file || !links.isValid(jobId, signature)) {
      throw new RefusalError(403, "link_expired", "The link is wrong or has expired.");
    }
    const { sizeBytes, etag } = file;
    const ifRange = c.req.header("if-range") ?? etag;
    const range = ifRange === etag ? parseByteRange(c.req.header("range"), sizeBytes) : undefined;
    if (range === "unsatisfiable") {
      c.header("Content-Range", `bytes */${sizeBytes}`);
      throw new RefusalError(416, "range_not_satisfiable", `The file has ${sizeBytes} bytes.`);
    }
    const { fromByte, toByte } = range ?? { fromByte: 0, toByte: sizeBytes };
    const body = paceBody(file.read(fromByte, toByte), service, c.get("record"));
    return new Response(ReadableStream.from(body), {
      status: range ? 206 : 200,
      headers: {
        "Content-Type": "application/x-ndjson",
        ETag: etag,
        "Cache-Control": "no-store",
        ...(range && { "Content-Range": `bytes ${fromByte}-${toByte - 1}/${sizeBytes}` }),
        "Accept-Ranges": "bytes",
        "Content-Length": String(toByte - fromByte),
      },
    });
  });
  return app;
}

/** Number of pieces per second in a throttled download. */
const piecesPerSecond = 20;

/** Yields a body at the configured speed, and counts its bytes. Ends when the emulator closes. */
async function* paceBody(
  body: AsyncIterable<Buffer>,
  { settings: { downloadBytesPerSecond }, closing }: Service,
  record: RequestRecord,
): AsyncGenerator<Uint8Array> {
  const pieceBytes = Math.max(
    1,
    Math.round((downloadBytesPerSecond ?? Number.POSITIVE_INFINITY) / piecesPerSecond),
  );
  for await (const chunk of body) {
    for (let from = 0; from < chunk.length && !closing.aborted; from += pieceBytes) {
      const piece = chunk.subarray(from, from + pieceBytes);
      yield piece;
      record.sentBytes = (record.sentBytes ?? 0) + piece.length;
      if (downloadBytesPerSecond) {
        await sleep(1000 / piecesPerSecond, undefined, { signal: closing }).catch(() => {});
      }
    }
  }
}

/**
 * Parses a `Range` header (RFC 9110, section 14); the end is exclusive. Returns undefined for the whole file or
 * an invalid header.
 */
function parseByteRange(header = "", sizeBytes: number) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  const fromByte = first === "" ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const toByte = first === "" || last === "" ? sizeBytes : Math.min(sizeBytes, Number(last) + 1);
  if (first !== "" && last !== "" && Number(last) < fromByte) return undefined;
  return fromByte < toByte ? { fromByte, toByte } : "unsatisfiable";
}
