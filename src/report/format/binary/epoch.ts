/** Days since 1970-01-01 of `YYYY-MM-DD`; `undefined` for other text. */
export function epochDays(date: string): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms / 86_400_000;
}

/** Microseconds since 1970 of `YYYY-MM-DDTHH:MM:SS[.ffffff][Z]`, read as UTC; `undefined` for other text. */
export function epochMicros(text: string): number | undefined {
  const [, whole, fraction = ""] =
    /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?Z?$/.exec(text) ?? [];
  const ms = whole === undefined ? Number.NaN : Date.parse(`${whole}Z`);
  return Number.isNaN(ms) ? undefined : ms * 1000 + Number(fraction.padEnd(6, "0"));
}
