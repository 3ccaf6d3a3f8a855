import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { ownFolderOf } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { type Address, addressText, type Link, reportWords } from "../report/address/address.ts";
import { withRows } from "../report/address/drill-down.ts";
import { renderNavigation } from "../report/html/frame/render-page.ts";
import { type Html, html } from "../report/html/html.ts";
import { chooseByIds } from "../report/options/find-chosen.ts";
import { ReportOptionError } from "../report/options/report-option-error.ts";
import { type ReportRequest, withAvailabilityTarget } from "../report/options/report-options.ts";
import { findOwnReport } from "../report/own/list-own-reports.ts";
import { isReportName } from "../report/report-name.ts";
import type { Logger } from "../util/logger.ts";
import { readNames } from "./frame/names.ts";
import { renderBar } from "./frame/render-bar.ts";
import { answerError, type ErrorFrame, isRequestError, Refusal } from "./refusal.ts";
import type { Readers, Shown } from "./requests/readers.ts";
import {
  findVersion,
  parametersOfReports,
  pinVersion,
  readParameters,
  reportOptionsOf,
  shortAddress,
  type ViewParameters,
} from "./requests/view-parameters.ts";
import { answerHeaders, checkTarget, type HostCheck, isAcceptedTarget } from "./security/allowed-hosts.ts";
import { cellWords, parseCellParameters, showCell } from "./views/cell-view.ts";
import { createCellDownload, createDownload, isDownloadExtension } from "./views/downloads.ts";
import { showOverview } from "./views/overview-view.ts";
import { showReport } from "./views/report-view.ts";

type Env = { Bindings: HttpBindings };

/** Admits a request, responds to it, or throws a refusal. */
export type Gate = (request: IncomingMessage) => Response | undefined;

interface AppOptions {
  checkHost: HostCheck;
  gate: Gate;
  readers: Readers;
  settings: Settings;
  logger: Logger;
}

export function createApp({ checkHost, gate, readers, settings, logger }: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.onError((error) => answerError(error, logger));
  app.use(leaveUnsent);
  app.use(answerHeaders);
  app.use(async (context, next) => {
    const { incoming } = context.env;
    checkTarget(incoming.url ?? "");
    checkHost(incoming.headers.host);
    checkSource(context);
    const answer = gate(incoming);
    if (answer) return answer;
    await next();
    return undefined;
  });
  /** Addresses use ids, so they stay valid when something is renamed. */
  const byIds = async (options: ReportRequest, asked: ViewParameters): Promise<ReportRequest> => {
    const isById = Object.values(options.chosen)
      .flat()
      .every((word) => /^[\d,]+$/.test(word));
    if (isById) return options;
    const chosen = await readers.read(asked, ({ taken }) => chooseByIds(taken.mart, options));
    // A city may have more locations than fit into an address.
    return isAcceptedTarget(`/${addressText(shortAddress(chosen, asked))}`) ? chosen : options;
  };
  /** Runs after all checks, so whoever gets a response may see which values exist. */
  const page = (make: (context: Context<Env>) => Promise<Response>) => async (context: Context<Env>) => {
    try {
      return await make(context);
    } catch (error) {
      if (!isRequestError(error)) throw error;
      const address = new URL(context.req.url);
      const asked = findVersion(address.searchParams);
      // If the frame fails, the mistake is still shown.
      const frame = readers
        .read(asked, (shown) => frameMistake(error, address, shown))
        .catch(() => undefined);
      return answerError(error, logger, await frame);
    }
  };
  app.get(
    "/",
    page(async (context) => {
      const asked = requestedParameters(context, []);
      return context.html(await readers.show(asked, context.req.url, showOverview));
    }),
  );
  app.get(
    "*",
    page(async (context) => {
      const [view = "", ending] = context.req.path.slice(1).split(".");
      if (ending !== undefined && !isDownloadExtension(ending)) throw noSuchPage();
      const { url, raw } = context.req;
      if (view === "cell" && ending !== "sql") {
        const asked = requestedParameters(context, cellWords);
        const cell = parseCellParameters(asked);
        return ending === undefined
          ? context.html(await readers.show(asked, url, (shown) => showCell(cell, shown)))
          : await readers.download(asked, raw.signal, (shown) => createCellDownload(cell, ending, shown));
      }
      const own = isReportName(view) ? undefined : findOwnReport(ownFolderOf(settings), view);
      if (!isReportName(view) && own === undefined) throw noSuchPage();
      const asked = requestedParameters(context, parametersOfReports);
      const options = withAvailabilityTarget(reportOptionsOf(view, asked, own), settings);
      if (ending !== undefined)
        return await readers.download(asked, raw.signal, (shown) => createDownload(options, ending, shown));
      const address = addressText(shortAddress(await byIds(options, asked), asked));
      if (asked.hasRedundantWords || address !== addressText(shortAddress(options, asked)))
        return context.redirect(`/${address}`, 302);
      return context.html(await readers.show(asked, url, (shown) => showReport(options, shown)));
    }),
  );
  return app;
}

/** The body of a HEAD response is never sent, so its producer would wait for a reader forever. */
const leaveUnsent: MiddlewareHandler<Env> = async (context, next) => {
  await next();
  if (context.req.method === "HEAD") await context.res.body?.cancel();
};

function noSuchPage(): Refusal {
  return new Refusal(404, "This page does not exist. Choose one above.");
}

function requestedParameters(context: Context<Env>, accepted: readonly string[]): ViewParameters {
  return readParameters(new URL(context.req.url).searchParams, accepted);
}

/** Other sites may link to our pages, but neither load them in secret nor send anything here. */
function checkSource({ req }: Context<Env>): void {
  if (req.method !== "GET" && req.method !== "HEAD") {
    throw new Refusal(405, "Pages are read-only: only GET and HEAD are accepted.", { Allow: "GET, HEAD" });
  }
  const [site, mode] = [req.header("sec-fetch-site"), req.header("sec-fetch-mode")];
  if ((site === "cross-site" || site === "same-site") && mode !== "navigate") {
    throw new Refusal(403, "Other sites may link to these pages, but not load them.");
  }
}

/** Longer values are not offered for correction. */
const longestValue = 200;

/** Returns the frame of an error page: navigation, and the bar as it was filled in. */
async function frameMistake(
  error: unknown,
  { pathname, searchParams }: URL,
  { taken, asOf, own }: Shown,
): Promise<ErrorFrame> {
  const { mart } = taken;
  const link: Link = (address) => `/${addressText(pinVersion(address, mart.version))}`;
  const [view = ""] = pathname.slice(1).split(".");
  const ofFile = own.find(({ name }) => name === view);
  const report = isReportName(view) ? view : ofFile && "own";
  const words = typedWords(searchParams);
  const bar = report && renderBar({ report, own: ofFile, words, names: await readNames(taken), asOf, link });
  return {
    version: mart.version,
    top: html`${renderNavigation(view, (to) => link(withRows({ view: to, words: {} })), own)}${bar}`,
    listing: error instanceof ReportOptionError ? renderListing(error, link) : undefined,
  };
}

function typedWords(parameters: URLSearchParams): Address["words"] {
  const typed = reportWords.flatMap((word) => {
    const value = parameters.getAll(word).join(",");
    return value === "" || value.length > longestValue ? [] : [[word, value] as const];
  });
  return Object.fromEntries(typed);
}

function renderListing({ option, listing }: ReportOptionError, link: Link): Html | undefined {
  if (!listing) return undefined;
  const { report, by } = listing;
  const href = link({ view: report, words: by === undefined ? {} : { by } });
  return html`<a href="${href}">See the ${option.slice(2)}s</a>`;
}
