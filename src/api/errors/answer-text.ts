/** What the service answered beside a status that is not a success. */
export interface RefusedAnswer {
  status: number;
  /** Its own words, shortened and without secrets; may be empty. */
  text: string;
  /** So long it asked to wait before another request, in milliseconds. */
  retryAfterMs?: number | undefined;
}

const longestText = 200;

/** The text of an answer as an error may show it: one line without markup and control characters, shortened. */
export function shortAnswerText(body: string): string {
  const line = body
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length > longestText ? `${line.slice(0, longestText)}…` : line;
}

/** `status 403 (“not in your scopes”)` */
export function describeAnswer({ status, text }: RefusedAnswer): string {
  return text === "" ? `status ${status}` : `status ${status} (“${text}”)`;
}
