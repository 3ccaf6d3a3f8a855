import { VenueError } from "../util/venue-error.ts";

const longestCode = 512;

/**
 * A one-time code from what a person pasted: the code, or the link that the operator sent, which holds it. No error
 * shows it.
 * @throws {OneTimeCodeError} when it is none, or the link is for another client or service
 */
export function oneTimeCodeOf(
  pasted: string,
  { clientId, baseUrl }: { clientId: string; baseUrl: URL },
): string {
  const text = pasted.trim();
  if (text === "") throw new OneTimeCodeError("No one-time code was given");
  if (/^https?:\/\//i.test(text)) return codeOfLink(text, clientId, baseUrl);
  if (!/^[\x21-\x7e]+$/.test(text) || text.length > longestCode) {
    throw new OneTimeCodeError(
      `That is no one-time code: a code is one word of at most ${longestCode} characters`,
    );
  }
  return text;
}

function codeOfLink(text: string, clientId: string, baseUrl: URL): string {
  const link = URL.canParse(text) ? new URL(text) : undefined;
  const code = link?.searchParams.get("one_time_code");
  if (!link || !code) throw new OneTimeCodeError("The link holds no one_time_code");
  const wanted = `${baseUrl.origin}${decoded(baseUrl.pathname.replace(/\/+$/, ""))}/api-clients/${clientId}/secret`;
  const found = `${link.origin}${decoded(link.pathname)}`;
  if (found === wanted) return code;
  throw new OneTimeCodeError(
    `The link leads to ${found}, but VENUE_BASE_URL and VENUE_CLIENT_ID lead to ${wanted}: set them to those of the link`,
  );
}

/** Of a path: what need not be encoded in one, such as an @, may be all the same. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** What was given is no one-time code for this client; it was not used. */
class OneTimeCodeError extends VenueError {
  override readonly name = "OneTimeCodeError";
  readonly code = "NO_ONE_TIME_CODE";
  readonly category = "usage";

  constructor(problem: string) {
    super(`${problem}. Nothing was sent. Give it at the prompt, by --code-file FILE, or on stdin.`);
  }
}
