/**
 * DuckDB's `YYYY-MM-DD HH:MM:SS[.ffffff]`, in UTC, or an ISO instant → `YYYY-MM-DDTHH:MM:SSZ`. Fractions of a second
 * stay where there are any.
 */
export function instantText(text: string): string {
  const local = localTimeText(text.replace(/Z$/, ""));
  return /^\d{4}-/.test(local) ? `${local}Z` : local;
}

/** The same, of a clock of which only its zone knows the offset: no Z. */
export function localTimeText(text: string): string {
  return text
    .replace(" ", "T")
    .replace(/\.(\d*?)0*$/, (_all, digits: string) => (digits ? `.${digits}` : ""));
}
