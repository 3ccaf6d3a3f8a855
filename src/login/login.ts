import type { VenueClient } from "../api/client.ts";
import {
  OutcomeUnknownError,
  SecretNotFoundError,
  ServiceRefusedError,
  UnexpectedResponseError,
} from "../api/errors.ts";
import { defaultTimeouts } from "../api/transport/timeouts.ts";
import { reserveCredentialsFile } from "../config/credentials-file.ts";
import { prepareHome } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import type { Logger } from "../util/logger.ts";
import { VenueError } from "../util/venue-error.ts";
import { connectWithoutSecret } from "../workspace/connect.ts";

export interface LoginOptions {
  settings: Settings;
  logger: Logger;
  /** If true, credentials of another client are overwritten. */
  isReplacing: boolean;
  /**
   * Returns a one-time code, or the link that contains it. Called only when everything else is ready, because
   * a code can be used only once.
   */
  getCode(clientId: string): Promise<string>;
  /** Prevents an interruption from ending the program until `release` is called. An interruption aborts `signal`. */
  holdInterruptions(): { signal: AbortSignal; release(): void };
}

/**
 * Fetches the client's secret with a one-time code, and stores it in `credentials.json`. When this returns, the
 * secret is on disk. After the code is sent, an interruption is delayed until the response, which may contain
 * the only copy of the secret.
 * @returns the path of the file, and the delayed interruption, if any
 * @throws {ConfigError} before the code is requested, if a setting is missing or the file can't be written
 * @throws {VenueError} `SECRET_NOT_GIVEN` if the service refuses the code
 * @throws {VenueError} `SECRET_ANSWER_KEPT` if the response was not understood; the response is saved to a file
 * @throws {VenueError} `SECRET_LOST` if the code may be used up although no secret was received
 */
export async function login({ settings, logger, isReplacing, getCode, holdInterruptions }: LoginOptions) {
  const clientId = settings.get("VENUE_CLIENT_ID");
  const baseUrl = settings.get("VENUE_BASE_URL");
  const file = reserveCredentialsFile(
    prepareHome(settings.get("VENUE_HOME")),
    { clientId, baseUrl },
    { isReplacing },
  );
  try {
    const client = connectWithoutSecret(settings, logger);
    try {
      const oneTimeCode = extractOneTimeCode(await getCode(clientId), { clientId, baseUrl });
      const { signal, release } = holdInterruptions();
      signal.addEventListener("abort", () => {
        if (client.requestsSent > 0) logger.warn(waiting);
      });
      try {
        file.store(await fetchSecret(client, { clientId, oneTimeCode, signal }));
      } catch (error) {
        if (!(error instanceof SecretNotFoundError)) throw error;
        throw answerKeptError(clientId, file.storeAnswer(error.revealResponse()), error);
      } finally {
        release();
      }
      return { clientId, path: file.path, interruption: signal.aborted ? signal.reason : undefined };
    } finally {
      await client.close();
    }
  } finally {
    file.release();
  }
}

const waiting =
  "The one-time code was sent. Waiting for the response, which may contain the only copy of the secret, for at most " +
  `${(defaultTimeouts.headersMs + defaultTimeouts.bodyIdleMs) / 1000} s.`;

async function fetchSecret(
  { apiClients }: Pick<VenueClient, "apiClients">,
  { clientId, ...input }: { clientId: string; oneTimeCode: string; signal: AbortSignal },
): Promise<string> {
  try {
    return await apiClients.retrieveSecret(input);
  } catch (error) {
    throw toLoginError(error, clientId);
  }
}

function toLoginError(error: unknown, clientId: string): unknown {
  if (error instanceof ServiceRefusedError) return secretNotGivenError(clientId, error);
  const isLost = error instanceof OutcomeUnknownError || error instanceof UnexpectedResponseError;
  return isLost ? secretLostError(clientId, error) : error;
}

function secretNotGivenError(clientId: string, cause: ServiceRefusedError): VenueError {
  const { status, responseText } = cause;
  const client = JSON.stringify(clientId);
  return new VenueError(
    "SECRET_NOT_GIVEN",
    "service",
    `The service did not return the secret of the API client ${client}: status ${status}` +
      `${responseText ? ` (“${responseText}”)` : ""}. The one-time code was used before, is mistyped, or was created for ` +
      "another VENUE_CLIENT_ID or VENUE_BASE_URL. Check all three. If the code was used and nobody has the secret, " +
      `ask the operator for a new one-time link for the API client ${client}.`,
    { cause },
  );
}

/** No secret was recognised in the response. The response is kept in case it contains one. */
function answerKeptError(clientId: string, path: string, cause: Error): VenueError {
  return new VenueError(
    "SECRET_ANSWER_KEPT",
    "service",
    `The service accepted the one-time code, but its response contains no recognisable secret. The response is saved in ${path}, ` +
      "readable by this user only. If it contains the secret, save only the secret in a file, set " +
      "VENUE_CLIENT_SECRET_FILE to that file, and remove the response. Otherwise the code may be used up: ask the " +
      `operator for a new one-time link for the API client ${JSON.stringify(clientId)}.`,
    { cause },
  );
}

/** The code was sent, but no secret was received. The code may no longer work. */
function secretLostError(clientId: string, cause: Error): VenueError {
  return new VenueError(
    "SECRET_LOST",
    "service",
    `The one-time code was sent, but no secret was received: the code may be used up. Run \`venue login\` with it again. ` +
      "If it is refused, ask the operator for a new one-time link for the API client " +
      `${JSON.stringify(clientId)}. (${cause.message})`,
    { cause },
  );
}

const maxCodeLength = 512;

/**
 * Extracts a one-time code from pasted text, which is either the code or the operator's link with the code.
 * Errors never contain the code.
 * @throws {VenueError} `NO_ONE_TIME_CODE` if there is none, or the link is for another client or service
 */
export function extractOneTimeCode(
  pasted: string,
  { clientId, baseUrl }: { clientId: string; baseUrl: URL },
): string {
  const text = pasted.trim();
  if (text === "") throw oneTimeCodeError("No one-time code was given");
  if (/^https?:\/\//i.test(text)) return extractCodeFromLink(text, clientId, baseUrl);
  if (!/^[\x21-\x7e]+$/.test(text) || text.length > maxCodeLength) {
    throw oneTimeCodeError(
      `This is not a one-time code: a code is one word of at most ${maxCodeLength} characters`,
    );
  }
  return text;
}

function extractCodeFromLink(text: string, clientId: string, baseUrl: URL): string {
  const link = URL.canParse(text) ? new URL(text) : undefined;
  const code = link?.searchParams.get("one_time_code");
  if (!link || !code) throw oneTimeCodeError("The link has no one_time_code parameter");
  const wanted = `${baseUrl.origin}${decodePath(baseUrl.pathname.replace(/\/+$/, ""))}/api-clients/${clientId}/secret`;
  const found = `${link.origin}${decodePath(link.pathname)}`;
  if (found === wanted) return code;
  throw oneTimeCodeError(
    `The link is for ${found}, but VENUE_BASE_URL and VENUE_CLIENT_ID are for ${wanted}. Set them to match the link`,
  );
}

/** Decodes a path, because links may encode characters such as @ without need. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The input is not a one-time code for this client; nothing was sent. */
function oneTimeCodeError(problem: string): VenueError {
  return new VenueError(
    "NO_ONE_TIME_CODE",
    "usage",
    `${problem}. Nothing was sent. Enter the code at the prompt, or pass it by --code-file FILE or on stdin.`,
  );
}
