import { type Context, Hono } from "hono";
import { alreadySent } from "../already-sent.ts";
import { picture } from "../answers/picture.ts";
import { sendBody } from "../answers/send-body.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { answerErrors } from "../error-answers.ts";
import { answerFaults } from "../faults/answer-faults.ts";
import { RefusalError } from "../refusal-error.ts";
import type { ServiceEnv } from "../service-env.ts";
import { parseByteRange } from "./byte-range.ts";
import { planDownload } from "./download-plan.ts";
import type { ExportJob } from "./export-jobs.ts";

const pictureFolders = ["screenshots", "artwork", "playlists", "users"];

/**
 * Where finished exports and pictures are downloaded: another origin than the main API's, which knows links but no clients.
 * @param isMirror the third origin, to which the fault `redirect` leads
 */
export function createDownloadOrigin(service: EmulatedService, isMirror: boolean): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  answerErrors(app);
  app.use(service.log.middleware("download"));
  app.use(answerFaults(service));

  app.get("/pictures/:folder/:file{.+\\.png}", (c) => {
    refuseToken(c);
    const folder = c.req.param("folder");
    if (!pictureFolders.includes(folder))
      throw new RefusalError(404, "not_found", `There are no pictures of ${folder}.`);
    return c.body(Uint8Array.from(picture(c.req.path)), 200, { "Content-Type": "image/png" });
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

/** @throws {RefusalError} 400 when a token leaked to here, 403 for a link that does not open anything */
function checkLink(c: Context<ServiceEnv>, { faults, jobs, links }: EmulatedService): ExportJob {
  refuseToken(c);
  const jobId = c.req.param("job_id") ?? "";
  const isValid = links.isValid(jobId, c.req.query("expires") ?? "", c.req.query("signature") ?? "");
  const job = jobs.find(jobId);
  if (!job || !isValid || faults.strike("expired-link", c.get("target"))) {
    throw new RefusalError(403, "link_expired", "The link is wrong or has expired.");
  }
  return job;
}

/** @throws {RefusalError} 400 when a token leaked to here */
function refuseToken(c: Context<ServiceEnv>): void {
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
  // What was written is to arrive before the connection is cut.
  if (ending === "cut") outgoing.write("", () => outgoing.destroy());
  return alreadySent;
}
