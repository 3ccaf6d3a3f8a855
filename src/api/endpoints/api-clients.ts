import { z } from "zod";
import type { TokenAnswer } from "../access-tokens.ts";
import { SecretNotFoundError, UnexpectedResponseError } from "../errors.ts";
import { decimalNumber } from "../records/lenient.ts";
import type { Service } from "../service.ts";
import type { Secrets } from "../transport/secrets.ts";
import { pathSegment } from "../transport/service-address.ts";
import type { Cancellable } from "./inputs.ts";

/** The service does not document the shape of this answer: like that of the secret, it may hold it one level down. */
function findToken(answer: unknown): TokenAnswer | undefined {
  for (const value of [answer, ...Object.values(Object(answer))]) {
    const { access_token, accessToken, token, expires_in, expiresIn } = Object(value);
    const found = [access_token, accessToken, token].find(isToken);
    if (found === undefined) continue;
    const seconds = decimalNumber.safeParse(expires_in ?? expiresIn).data ?? 0;
    return { accessToken: found, lifetimeSeconds: seconds > 0 ? seconds : undefined };
  }
  return undefined;
}

/** Fits into a header: no blank, no control character. */
function isToken(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]+$/.test(value);
}

/** The API client itself: its secret and its access tokens. These paths lie directly under the base URL. */
export class ApiClients {
  readonly #service: Service;
  readonly #clientId: string;
  readonly #secrets: Secrets;

  /**
   * @internal
   * @param service without access tokens
   */
  constructor(service: Service, clientId: string, secrets: Secrets) {
    this.#service = service;
    this.#clientId = clientId;
    this.#secrets = secrets;
  }

  /**
   * Fetches the client secret. `GET api-clients/<client_id>/secret`. It can be fetched once: store it before
   * anything else is done with it. An abort ends only the wait for its turn: once it is sent, the answer is waited for.
   * @throws {SecretNotFoundError} when the answer is of no known shape; it holds the answer, which can't be had again
   * @throws {MaybeCarriedOutError} when the answer was lost: the code may be used up
   */
  async retrieveSecret({ oneTimeCode, signal }: Cancellable & { oneTimeCode: string }): Promise<string> {
    this.#secrets.add(oneTimeCode);
    const target = { method: "GET", path: `api-clients/${pathSegment(this.#clientId)}/secret` } as const;
    const answer = await this.#service.ask({
      ...target,
      query: { one_time_code: oneTimeCode },
      answer: z.unknown(),
      isRepeatable: false,
      isFresh: true,
      isQuerySecret: true,
      mayBeText: true,
      awaitResponseOnAbort: true,
      signal,
    });
    const secret = findSecret(answer);
    if (secret === undefined) throw new SecretNotFoundError(target, answer);
    this.#secrets.add(secret);
    return secret;
  }

  /** Asks for an access token. `POST api-clients/token`. Harmless to repeat. */
  async requestToken({ clientSecret, signal }: Cancellable & { clientSecret: string }): Promise<TokenAnswer> {
    this.#secrets.add(clientSecret);
    const target = { method: "POST", path: "api-clients/token" };
    const answer = await this.#service.ask({
      ...target,
      method: "POST",
      body: { client_id: this.#clientId, client_secret: clientSecret },
      answer: z.unknown(),
      isRepeatable: true,
      signal,
    });
    const found = findToken(answer);
    if (!found) throw new UnexpectedResponseError(target, "it holds no access token");
    this.#secrets.add(found.accessToken);
    return found;
  }
}

const names = ["client_secret", "clientSecret", "secret"];

/**
 * The client secret in an answer whose shape the service does not document: one word alone (no page, sentence or cut
 * JSON), or under a usual name, also one level down (`{"data": {"client_secret": …}}`). `undefined` where there is none
 * that is certain.
 */
function findSecret(answer: unknown): string | undefined {
  if (typeof answer === "string") return /^[^\s<>{}[\]"]+$/.test(answer) ? answer : undefined;
  const objects = [answer, ...Object.values(Object(answer))].map((value) => Object(value));
  const found = objects.flatMap((object) => names.map((name) => object[name])).filter(isText);
  return new Set(found).size === 1 ? found[0] : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
