import { html } from "../report/html/html.ts";
import { renderPage } from "../report/html/render-page.ts";
import type { Logger } from "../util/logger.ts";
import { VenueError } from "../util/venue-error.ts";
import { Refusal } from "./refusal.ts";

/** What went wrong, as a page: what was asked for in words that mean nothing, or a failure of ours. */
export function answerError(error: unknown, logger: Logger): Response {
  const { status, message, headers } = describe(error, logger);
  const page = renderPage({
    title: "Not shown",
    version: "unknown",
    isServed: true,
    body: [
      html`<header><h1>venue-analytics</h1><p class="headline">${message}</p></header>
<main><p><a href="/">Overview</a></p></main>
`,
    ],
  });
  return new Response(page, { status, headers: { "Content-Type": "text/html; charset=UTF-8", ...headers } });
}

function describe(
  error: unknown,
  logger: Logger,
): { status: number; message: string; headers?: Readonly<Record<string, string>> } {
  if (error instanceof Refusal) return error;
  if (error instanceof VenueError) {
    if (error.category === "usage") return { status: 400, message: error.message };
    logger.warn(error.message);
    return { status: 503, message: error.message };
  }
  logger.warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return { status: 500, message: "This page could not be made. The terminal of venue serve says why." };
}
