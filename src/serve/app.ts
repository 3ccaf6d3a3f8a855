import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { customFolderOf, proofKeyFileOf } from "../config/data-folder.ts";
import { findProofKey } from "../config/proof-key.ts";
import type { Settings } from "../config/settings.ts";
import { type Address, formatAddress, type Link } from "../report/address/address.ts";
import { maybeParseTypedFilters } from "../report/address/attribute-fields.ts";
import { withDefaultGrouping } from "../report/address/drill-down.ts";
import {
  findVersion,
  parseViewOptions,
  readParameters,
  reportParameters,
  toShortAddress,
  type ViewParameters,
} from "../report/address/view-parameters.ts";
import { catalog } from "../report/catalog/catalog.ts";
import { createCustomEntry } from "../report/custom/custom-entry.ts";
import { findCustomReport } from "../report/custom/list-custom-reports.ts";
import { renderNavigation } from "../report/html/frame/render-page.ts";
import { type Html, html } from "../report/html/html.ts";
import { ReportOptionError } from "../report/options/option-error.ts";
import { reportWords } from "../report/options/option-list.ts";
import { type ReportRequest, withAvailabilityTarget } from "../report/options/request-options.ts";
import { replaceNamesByIds } from "../report/options/resolve-entities.ts";
import { isReportName } from "../report/report-name.ts";
import { formatMetrics, metricsType } from "../report/signals/metrics.ts";
import { readSignals } from "../report/signals/signals.ts";
import type { Share } from "../state/data/shares.ts";
import type { Logger } from "../util/logger.ts";
import { exportPublicKey } from "../util/signed-text.ts";
import { readNames } from "./frame/names.ts";
import { renderFilterBar } from "./frame/render-bar.ts";
import type { Readers, ViewContext } from "./readers.ts";
import { createErrorResponse, type ErrorFrame, isRequestError, Refusal } from "./refusal.ts";
import {
  addSecurityHeaders,
  checkTarget,
  type HostCheck,
  isAcceptedTarget,
} from "./security/allowed-hosts.ts";
import type { OpenShares } from "./shares/open-shares.ts";
import { isSharedAddress } from "./shares/shared-views.ts";
import { campaignDayOptions, parseCellParameters, showCell } from "./views/campaign-day-view.ts";
import { createCellDownload, createDownload, isDownloadExtension } from "./views/downloads.ts";
import { showOverview } from "./views/overview-view.ts";
import { createProofDownload, isProofExtension, proofWords, showProof } from "./views/proof-view.ts";
import { showReport } from "./views/report-view.ts";

type Env = { Bindings: HttpBindings; Variables: Visitor };

/** A person who requests a page: the operator, or a holder of a customer token. */
interface Visitor {
  readers: Readers;
  share: Share | undefined;
}

/** Checks a request: lets it pass, returns a response to send instead, or throws a refusal. */
export type Gate = (request: IncomingMessage) => {
  response?: Response | undefined;
  share?: Share | undefined;
};

interface AppOptions {
  checkHost: HostCheck;
  gate: Gate;
  readers: Readers;
  shares: OpenShares;
  settings: Settings;
  logger: Logger;
}

const keyPath = "/proof-key.pem";

export function createApp({ checkHost, gate, readers, shares, settings, logger }: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.onError((error, context) =>
    createErrorResponse(error, {
      logger,
      isShared: context.var.share !== undefined || context.req.path === keyPath,
    }),
  );
  app.use(discardHeadBody);
  app.use(addSecurityHeaders);
  // For load balancers and containers, which have no token. Reveals only whether the service is healthy.
  app.get("/healthz", async (context) => {
    checkHost(context.env.incoming.headers.host);
    return (await readers.isHealthy()) ? context.text("ok\n") : context.text("not ok\n", 503);
  });
  // For readers of proofs, who have no token either. The key is public.
  app.get(keyPath, (context) => {
    checkHost(context.env.incoming.headers.host);
    const key = findProofKey(proofKeyFileOf(settings));
    if (key === undefined)
      return context.text("No proof was made here yet, so there is no key. See `venue proof key`.\n", 404);
    return context.body(exportPublicKey(key, "pem").toString(), 200, {
      "Content-Type": "application/x-pem-file",
    });
  });
  app.use(async (context, next) => {
    const { incoming } = context.env;
    checkTarget(incoming.url ?? "");
    checkHost(incoming.headers.host);
    checkSource(context);
    const { response, share } = gate(incoming);
    if (response) return response;
    context.set("share", share);
    context.set("readers", share === undefined ? readers : shares.readersOf(share));
    await next();
    if (share !== undefined)
      shares.record({ share: share.name, address: incoming.url ?? "", status: context.res.status });
    return undefined;
  });
  /** Replaces names with ids in addresses, so that they stay valid when something is renamed. */
  const resolveNames = async (
    { readers }: Visitor,
    options: ReportRequest,
    parameters: ViewParameters,
  ): Promise<ReportRequest> => {
    const isById = Object.values(options.chosen)
      .flat()
      .every((word) => /^[\d,]+$/.test(word));
    if (isById) return options;
    const chosen = await readers.read(parameters, ({ lease }) => replaceNamesByIds(lease.mart, options));
    // Keeps the names if the ids do not fit into an address, e.g. all locations of a large city.
    return isAcceptedTarget(`/${formatAddress(toShortAddress(chosen, parameters))}`) ? chosen : options;
  };
  /** Renders errors as pages. Runs after all checks, so the client is allowed to see which values exist. */
  const handleErrors =
    (make: (context: Context<Env>) => Promise<Response>) => async (context: Context<Env>) => {
      try {
        return await make(context);
      } catch (error) {
        if (!isRequestError(error)) throw error;
        const { readers, share } = context.var;
        // A customer must not learn whether another page exists.
        if (share !== undefined && error instanceof Refusal) throw error;
        const address = new URL(context.req.url);
        const parameters = findVersion(address.searchParams);
        // If the frame cannot be rendered, the error is still shown.
        const frame = readers
          .read(parameters, (context) => createErrorFrame(error, address, context))
          .catch(() => undefined);
        return createErrorResponse(error, { logger, isShared: share !== undefined, frame: await frame });
      }
    };
  app.get(
    "/",
    handleErrors(async (context) => {
      const { readers, share } = context.var;
      if (share !== undefined)
        return context.redirect(
          `/${formatAddress(withDefaultGrouping({ view: share.views[0] ?? "", words: {} }))}`,
          302,
        );
      const parameters = readRequestParameters(context, []);
      return context.html(await readers.show(parameters, context.req.url, showOverview));
    }),
  );
  app.get("/metrics", async (context) => {
    if (context.var.share !== undefined) throw pageNotFound();
    const signals = await readers.read({}, ({ lease, now }) => readSignals(settings, lease.mart, now));
    return context.body(formatMetrics(signals), 200, { "Content-Type": metricsType });
  });
  app.get(
    "*",
    handleErrors(async (context) => {
      const { readers, share } = context.var;
      const [view = "", extension] = context.req.path.slice(1).split(".");
      if (extension !== undefined && !isDownloadExtension(extension)) throw pageNotFound();
      if (share !== undefined && (extension === "sql" || !isSharedAddress(share, view))) throw pageNotFound();
      const { url, raw } = context.req;
      if (view === "cell" && extension !== "sql") {
        const parameters = readRequestParameters(context, campaignDayOptions);
        const cell = parseCellParameters(parameters);
        return extension === undefined
          ? context.html(await readers.show(parameters, url, (context) => showCell(cell, context)))
          : await readers.download(parameters, raw.signal, (context) =>
              createCellDownload(cell, extension, context),
            );
      }
      if (view === "proof") {
        if (extension !== undefined && !isProofExtension(extension)) throw pageNotFound();
        const parameters = readRequestParameters(context, proofWords);
        return extension === undefined
          ? context.html(
              await readers.show(parameters, url, (context) => showProof(parameters, settings, context)),
            )
          : await readers.download(parameters, raw.signal, (context) =>
              createProofDownload(parameters, extension, settings, context),
            );
      }
      const custom = isReportName(view) ? undefined : findCustomReport(customFolderOf(settings), view);
      if (!isReportName(view) && custom === undefined) throw pageNotFound();
      const parameters = readRequestParameters(context, reportParameters);
      const options = withAvailabilityTarget(parseViewOptions(view, parameters, custom), settings);
      if (extension !== undefined)
        return await readers.download(parameters, raw.signal, (context) =>
          createDownload(options, extension, context),
        );
      const address = formatAddress(
        toShortAddress(await resolveNames(context.var, options, parameters), parameters),
      );
      if (parameters.hasRedundantWords || address !== formatAddress(toShortAddress(options, parameters)))
        return context.redirect(`/${address}`, 302);
      return context.html(await readers.show(parameters, url, (context) => showReport(options, context)));
    }),
  );
  return app;
}

/**
 * Cancels the body of a HEAD response. It is never sent, so its producer would wait forever for a reader.
 */
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

/**
 * Refuses requests from other sites: they may link to our pages, but not load them in the background or send
 * data.
 */
function checkSource({ req }: Context<Env>): void {
  if (req.method !== "GET" && req.method !== "HEAD") {
    throw new Refusal(405, "Pages are read-only: only GET and HEAD are accepted.", { Allow: "GET, HEAD" });
  }
  const [site, mode] = [req.header("sec-fetch-site"), req.header("sec-fetch-mode")];
  if ((site === "cross-site" || site === "same-site") && mode !== "navigate") {
    throw new Refusal(403, "Other sites may link to these pages, but not load them.");
  }
}

/** Maximum length of an invalid value that the error page offers for correction. */
const maxOfferedLength = 200;

/** Returns the frame of an error page: navigation, and the bar with the values as entered. */
async function createErrorFrame(
  error: unknown,
  { pathname, searchParams }: URL,
  { lease, asOf, custom, share, link }: ViewContext,
): Promise<ErrorFrame> {
  const [view = ""] = pathname.slice(1).split(".");
  const ofFile = custom.find(({ name }) => name === view);
  const entry = isReportName(view) ? catalog[view] : ofFile && createCustomEntry(ofFile);
  const words = readTypedWords(searchParams);
  const isShared = share !== undefined;
  const bar = entry && renderFilterBar({ entry, words, names: await readNames(lease), asOf, isShared, link });
  return {
    version: lease.mart.version,
    top: html`${renderNavigation(view, (to) => link(withDefaultGrouping({ view: to, words: {} })), custom)}${bar}`,
    listing: error instanceof ReportOptionError ? renderListing(error, link) : undefined,
  };
}

function readTypedWords(parameters: URLSearchParams): Address["words"] {
  const typed = reportWords.flatMap((word) => {
    const value = parameters.getAll(word).join(",");
    return value === "" || value.length > maxOfferedLength ? [] : [[word, value] as const];
  });
  const { where: _where, ...words } = Object.fromEntries(typed);
  const where = maybeParseTypedFilters(parameters);
  return { ...words, ...(where && { where }) };
}

function renderListing({ option, listing }: ReportOptionError, link: Link): Html | undefined {
  if (!listing) return undefined;
  const { report, by } = listing;
  const href = link({ view: report, words: by === undefined ? {} : { by } });
  return href === undefined ? undefined : html`<a href="${href}">See the ${option.slice(2)}s</a>`;
}
