import { renderPage } from "../report/html/frame/render-page.ts";
import { type Html, html } from "../report/html/html.ts";
import { ReportOptionError } from "../report/options/report-option-error.ts";
import type { Logger } from "../util/logger.ts";
import { VenueError } from "../util/venue-error.ts";
import { pageWording } from "./frame/render-bar.ts";

/** A request refused with a message that is shown to the client. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: 400 | 401 | 403 | 404 | 405 | 421 | 429 | 503;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: Refusal["status"], message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Parts of an error page around the message. */
export interface ErrorFrame {
  version: string;
  /** Navigation and bar. */
  top: Html;
  /** Link to the accepted values. */
  listing?: Html | undefined;
}

/**
 * Renders an error as a page.
 * @param frame passed only for clients that may see the pages
 */
export function createErrorResponse(error: unknown, logger: Logger, frame?: ErrorFrame): Response {
  const { status, message, headers } = describe(error, logger);
  const page = renderPage({
    title: "Page unavailable",
    version: frame?.version,
    isServed: true,
    body: [
      html`${frame?.top}<header><h1>venue-analytics</h1><p class="headline">${message}</p></header>
<main><p>${frame?.listing ?? html`<a href="/">Overview</a>`}</p></main>
`,
    ],
  });
  return new Response(page, { status, headers: { "Content-Type": "text/html; charset=UTF-8", ...headers } });
}

/** Returns true if the request caused the error. */
export function isRequestError(error: unknown): boolean {
  if (error instanceof Refusal) return error.status === 400 || error.status === 404;
  return error instanceof VenueError && error.category === "usage";
}

function describe(
  error: unknown,
  logger: Logger,
): { status: number; message: string; headers?: Readonly<Record<string, string>> } {
  if (error instanceof Refusal) return error;
  if (error instanceof ReportOptionError) return { status: 400, message: error.inWords(pageWording) };
  if (error instanceof VenueError) {
    if (error.category === "usage") return { status: 400, message: error.message };
    logger.warn(error.message);
    return { status: 503, message: error.message };
  }
  logger.warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return {
    status: 500,
    message: "This page could not be created. See the output of venue serve for the reason.",
  };
}

export function serveOptionError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("SERVE_OPTION", "usage", message, options);
}
