import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { Settings } from "../config/settings.ts";
import { type Address, formatAddress, type Link, reportWords } from "../report/address/address.ts";
import { withDefaultGrouping } from "../report/address/drill-down.ts";
import { renderNavigation } from "../report/html/frame/render-page.ts";
import { type Html, html } from "../report/html/html.ts";
import { replaceNamesByIds } from "../report/options/find-chosen.ts";
import { ReportOptionError } from "../report/options/report-option-error.ts";
import { type ReportRequest, withAvailabilityTarget } from "../report/options/report-options.ts";
import { isReportName } from "../report/report-name.ts";
import type { Logger } from "../util/logger.ts";
import { readNames } from "./frame/names.ts";
import { renderBar } from "./frame/render-bar.ts";
import { createErrorResponse, type ErrorFrame, isRequestError, Refusal } from "./refusal.ts";
import type { Readers, ViewContext } from "./requests/readers.ts";
import {
  findVersion,
  parseViewOptions,
  pinVersion,
  readParameters,
  reportParameters,
  toShortAddress,
  type ViewParameters,
} from "./requests/view-parameters.ts";
import {
  addSecurityHeaders,
  checkTarget,
  type HostCheck,
  isAcceptedTarget,
} from "./security/allowed-hosts.ts";
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
  app.onError((error) => createErrorResponse(error, logger));
  app.use(discardHeadBody);
  app.use(addSecurityHeaders);
  app.use(async (context, next) => {
    const { incoming } = context.env;
    checkTarget(incoming.url ?? "");
    checkHost(incoming.headers.host);
    checkSource(context);
    const response = gate(incoming);
    if (response) return response;
    await next();
    return undefined;
  });
  /** Addresses use ids, so they stay valid when something is renamed. */
  const resolveNames = async (options: ReportRequest, parameters: ViewParameters): Promise<ReportRequest> => {
    const isById = Object.values(options.chosen)
      .flat()
      .every((word) => /^[\d,]+$/.test(word));
    if (isById) return options;
    const chosen = await readers.read(parameters, ({ lease }) => replaceNamesByIds(lease.mart, options));
    // A city may have more locations than fit into an address.
    return isAcceptedTarget(`/${formatAddress(toShortAddress(chosen, parameters))}`) ? chosen : options;
  };
  /** Runs after all checks, so whoever gets a response may see which values exist. */
  const handleErrors =
    (make: (context: Context<Env>) => Promise<Response>) => async (context: Context<Env>) => {
      try {
        return await make(context);
      } catch (error) {
        if (!isRequestError(error)) throw error;
        const address = new URL(context.req.url);
        const parameters = findVersion(address.searchParams);
        // If the frame fails, the mistake is still shown.
        const frame = readers
          .read(parameters, (context) => createErrorFrame(error, address, context))
          .catch(() => undefined);
        return createErrorResponse(error, logger, await frame);
      }
    };
  app.get(
    "/",
    handleErrors(async (context) => {
      const parameters = readRequestParameters(context, []);
      return context.html(await readers.show(parameters, context.req.url, showOverview));
    }),
  );
  app.get(
    "*",
    handleErrors(async (context) => {
      const [view = "", extension] = context.req.path.slice(1).split(".");
      if (extension !== undefined && !isDownloadExtension(extension)) throw pageNotFound();
      const { url, raw } = context.req;
      if (view === "cell" && extension !== "sql") {
        const parameters = readRequestParameters(context, cellWords);
        const cell = parseCellParameters(parameters);
        return extension === undefined
          ? context.html(await readers.show(parameters, url, (context) => showCell(cell, context)))
          : await readers.download(parameters, raw.signal, (context) =>
              createCellDownload(cell, extension, context),
            );
      }
      if (!isReportName(view)) throw pageNotFound();
      const parameters = readRequestParameters(context, reportParameters);
      const options = withAvailabilityTarget(parseViewOptions(view, parameters), settings);
      if (extension !== undefined)
        return await readers.download(parameters, raw.signal, (context) =>
          createDownload(options, extension, context),
        );
      const address = formatAddress(toShortAddress(await resolveNames(options, parameters), parameters));
      if (parameters.hasRedundantWords || address !== formatAddress(toShortAddress(options, parameters)))
        return context.redirect(`/${address}`, 302);
      return context.html(await readers.show(parameters, url, (context) => showReport(options, context)));
    }),
  );
  return app;
}

/** The body of a HEAD response is never sent, so its producer would wait for a reader forever. */
const discardHeadBody: MiddlewareHandler<Env> = async (context, next) => {
  await next();
  if (context.req.method === "HEAD") await context.res.body?.cancel();
};

function pageNotFound(): Refusal {
  return new Refusal(404, "This page does not exist. Choose one above.");
}

function readRequestParameters(context: Context<Env>, accepted: readonly string[]): ViewParameters {
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
const maxOfferedLength = 200;

/** Returns the frame of an error page: navigation, and the bar as it was filled in. */
async function createErrorFrame(
  error: unknown,
  { pathname, searchParams }: URL,
  { lease, asOf }: ViewContext,
): Promise<ErrorFrame> {
  const { mart } = lease;
  const link: Link = (address) => `/${formatAddress(pinVersion(address, mart.version))}`;
  const [view = ""] = pathname.slice(1).split(".");
  const bar = isReportName(view)
    ? renderBar({
        report: view,
        words: readTypedWords(searchParams),
        names: await readNames(lease),
        asOf,
        link,
      })
    : undefined;
  return {
    version: mart.version,
    top: html`${renderNavigation(view, (to) => link(withDefaultGrouping({ view: to, words: {} })))}${bar}`,
    listing: error instanceof ReportOptionError ? renderListing(error, link) : undefined,
  };
}

function readTypedWords(parameters: URLSearchParams): Address["words"] {
  const words = reportWords.flatMap((word) => {
    const value = parameters.getAll(word).join(",");
    return value === "" || value.length > maxOfferedLength ? [] : [[word, value] as const];
  });
  return Object.fromEntries(words);
}

function renderListing({ option, listing }: ReportOptionError, link: Link): Html | undefined {
  if (!listing) return undefined;
  const { report, by } = listing;
  const href = link({ view: report, words: by === undefined ? {} : { by } });
  return html`<a href="${href}">See the ${option.slice(2)}s</a>`;
}
