import { longestPostponeMs } from "../../state/client/request-budget.ts";
import { parseHttpDate } from "../../util/http-values.ts";

/**
 * How long an answer asks to wait, in milliseconds: at most five minutes, whatever it says. `undefined` when it
 * does not ask, or in no form that is known (seconds or an HTTP date; a negative number is neither).
 *
 * @param serverDate the answer's own `Date`, against which a date is taken, so that clocks need not agree
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
