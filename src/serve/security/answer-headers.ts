import type { MiddlewareHandler } from "hono";
import { pagePolicy } from "../../report/html/frame/render-page.ts";

/** Nobody else's page may show ours, read it or be told about it; no answer is kept by others. */
const headers: Readonly<Record<string, string>> = {
  "Content-Security-Policy": `${pagePolicy("'self'")}; frame-ancestors 'none'`,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "private, no-cache",
};

export const answerHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
};
