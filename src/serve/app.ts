import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { Settings } from "../config/settings.ts";
import { addressText } from "../report/address/address.ts";
import { withAvailabilityTarget } from "../report/options/availability-target.ts";
import { isReportName } from "../report/report-name.ts";
import type { Logger } from "../util/logger.ts";
import { answerError } from "./answer-error.ts";
import { Refusal } from "./refusal.ts";
import {
  type Asked,
  parametersOfReports,
  readParameters,
  reportOptionsOf,
  shortAddress,
} from "./requests/asked-view.ts";
import type { Readers } from "./requests/readers.ts";
import type { HostCheck } from "./security/allowed-hosts.ts";
import { answerHeaders } from "./security/answer-headers.ts";
import { checkTarget } from "./security/check-target.ts";
import type { TokenGate } from "./security/token-gate.ts";
import { cellOf, cellWords, showCell } from "./views/cell-view.ts";
import { showOverview } from "./views/overview-view.ts";
import { showReport } from "./views/report-view.ts";
import { isEnding, takeAway } from "./views/take-away.ts";

type Env = { Bindings: HttpBindings };

export interface AppOptions {
  checkHost: HostCheck;
  /** Absent on loopback. */
  gate?: TokenGate | undefined;
  readers: Readers;
  settings: Settings;
  logger: Logger;
}

/** Every page, and what each request has to pass first. */
export function createApp({ checkHost, gate, readers, settings, logger }: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.onError((error) => answerError(error, logger));
  app.notFound(() => {
    throw new Refusal(404, "There is no such page. Start at /.");
  });
  app.use(answerHeaders);
  app.use(async (context, next) => {
    const { incoming } = context.env;
    checkTarget(incoming.url ?? "");
    checkHost(incoming.headers.host);
    checkSource(context);
    gate?.check(incoming.headers.authorization, incoming.socket.remoteAddress ?? "");
    await next();
  });
  app.get("/", async (context) => {
    const asked = askedOf(context, []);
    return context.html(await readers.show(asked, context.req.url, showOverview));
  });
  app.get("/cell", async (context) => {
    const asked = askedOf(context, cellWords);
    const cell = cellOf(asked);
    return context.html(await readers.show(asked, context.req.url, (shown) => showCell(cell, shown)));
  });
  app.get("/:view", async (context) => {
    const [view = "", ending] = context.req.param("view").split(".");
    if (!isReportName(view)) return context.notFound();
    const asked = askedOf(context, parametersOfReports);
    const options = withAvailabilityTarget(reportOptionsOf(view, asked), settings);
    if (ending !== undefined) {
      if (!isEnding(ending)) return context.notFound();
      return await readers.download(asked, context.req.raw.signal, (shown) =>
        takeAway(options, ending, shown),
      );
    }
    if (asked.isWordy) return context.redirect(`/${addressText(shortAddress(options, asked))}`, 302);
    return context.html(await readers.show(asked, context.req.url, (shown) => showReport(options, shown)));
  });
  return app;
}

function askedOf(context: Context<Env>, accepted: readonly string[]): Asked {
  return readParameters(new URL(context.req.url).searchParams, accepted);
}

/** Pages elsewhere may link to ours; they may neither load them in secret nor send anything here. */
function checkSource({ req }: Context<Env>): void {
  if (req.method !== "GET" && req.method !== "HEAD") {
    throw new Refusal(405, "Pages are only read: GET and HEAD are accepted.", { Allow: "GET, HEAD" });
  }
  const [site, mode] = [req.header("sec-fetch-site"), req.header("sec-fetch-mode")];
  if ((site === "cross-site" || site === "same-site") && mode !== "navigate") {
    throw new Refusal(403, "Other sites may link to these pages, but not load them.");
  }
}
