/** `YYYY-MM-DD HH:MM:SS` in UTC: how the service writes date-times that carry no offset. */
export function dateTimeText(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 19).replace("T", " ");
}
