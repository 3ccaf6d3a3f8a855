import { longestPostponeMs } from "../../state/client/request-budget.ts";
import { parseHttpDate } from "../../util/http-values.ts";

/**
 * Returns how long a response asks us to wait, in milliseconds: at most five minutes. `undefined` if it doesn't, or in no
 * known format (seconds or an HTTP date; negative numbers are neither).
 *
 * @param serverDate the `Date` of the response; dates are relative to it, so the clocks need not agree
 */
export function retryAfterMs(
  retryAfter: string | string[] | undefined,
  serverDate: string | string[] | undefined,
): number | undefined {
  const text = first(retryAfter)?.trim();
  if (text === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, longestPostponeMs);
  const at = parseHttpDate(text);
  if (at === undefined) return undefined;
  const now = parseHttpDate(first(serverDate)) ?? Date.now();
  return Math.min(Math.max(at - now, 0), longestPostponeMs);
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
