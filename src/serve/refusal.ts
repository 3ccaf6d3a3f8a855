import { renderPage } from "../report/html/frame/render-page.ts";
import { type Html, html } from "../report/html/html.ts";
import { ReportOptionError } from "../report/options/option-error.ts";
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

interface ErrorContext {
  logger: Logger;
  /** True for a customer, who sees no server paths and no commands for the operator. */
  isShared: boolean;
  /** Passed only for clients that may see the pages. */
  frame?: ErrorFrame | undefined;
}

/** Renders an error as a page. */
export function createErrorResponse(error: unknown, { logger, isShared, frame }: ErrorContext): Response {
  const { status, message, headers } = describe(error, { logger, isShared });
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

/** Codes of errors whose messages describe only what was requested. */
const requestCodes = ["ADDRESS", "PROOF_TOO_LARGE"];

function describe(
  error: unknown,
  { logger, isShared }: Omit<ErrorContext, "frame">,
): { status: number; message: string; headers?: Readonly<Record<string, string>> } {
  if (error instanceof Refusal) return error;
  if (error instanceof ReportOptionError) return { status: 400, message: error.inWords(pageWording) };
  const isExpected = error instanceof VenueError;
  const isOfRequest = isExpected && (!isShared || requestCodes.includes(error.code));
  if (isOfRequest && error.category === "usage") return { status: 400, message: error.message };
  logger.warn(isExpected ? error.message : ((error as Error).stack ?? String(error)));
  if (isShared)
    return {
      status: 503,
      message: "This page is not available now. Try again later.",
      headers: { "Retry-After": "60" },
    };
  if (isExpected) return { status: 503, message: error.message };
  return {
    status: 500,
    message: "This page could not be created. See the output of venue serve for the reason.",
  };
}

export function serveOptionError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("SERVE_OPTION", "usage", message, options);
}
