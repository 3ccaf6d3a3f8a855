/**
 * The instant that an HTTP date names, in milliseconds; `undefined`: it is none. `Date.parse` takes nearly everything for a
 * date, "-5" included, and one that names no time zone for local time. Dates of HTTP are in GMT, also in the one form that
 * does not say so (`Sun Nov  6 08:49:37 1994`).
 */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  const namesZone = /[a-z]$|[+-]\d{4}$/i.test(text);
  const at = Date.parse(namesZone ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at;
}
