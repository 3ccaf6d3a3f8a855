import { z } from "zod";
import type { TokenResponse } from "../access-tokens.ts";
import { SecretNotFoundError, UnexpectedResponseError } from "../errors.ts";
import { decimalNumber } from "../records/lenient.ts";
import type { Service } from "../service.ts";
import type { Secrets } from "../transport/secrets.ts";
import { pathSegment } from "../transport/service-address.ts";
import type { Cancellable } from "./inputs.ts";

/** Finds the token in a response of undocumented shape, at the top level or one level below. */
function findToken(response: unknown): TokenResponse | undefined {
  for (const value of [response, ...Object.values(Object(response))]) {
    const { access_token, accessToken, token, expires_in, expiresIn } = Object(value);
    const found = [access_token, accessToken, token].find(isToken);
    if (found === undefined) continue;
    const seconds = decimalNumber.safeParse(expires_in ?? expiresIn).data ?? 0;
    return { accessToken: found, lifetimeSeconds: seconds > 0 ? seconds : undefined };
  }
  return undefined;
}

/** Returns true if a token can be sent in a header, because it has no blanks or control characters. */
function isToken(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]+$/.test(value);
}

/** The API client itself: its secret and its access tokens. These paths are directly under the base URL. */
export class ApiClients {
  readonly #service: Service;
  readonly #clientId: string;
  readonly #secrets: Secrets;

  /**
   * @internal
   * @param service sends requests without access tokens
   */
  constructor(service: Service, clientId: string, secrets: Secrets) {
    this.#service = service;
    this.#clientId = clientId;
    this.#secrets = secrets;
  }

  /**
   * Fetches the client secret. `GET api-clients/<client_id>/secret`. This works only once, so store the secret
   * before using it. An abort cancels the request only before it is sent; afterwards, the response is awaited.
   * @throws {SecretNotFoundError} if the response has an unexpected shape; the error contains it, because it
   * can't be fetched again
   * @throws {OutcomeUnknownError} if the response was lost; the one-time code may be used up
   */
  async retrieveSecret({ oneTimeCode, signal }: Cancellable & { oneTimeCode: string }): Promise<string> {
    this.#secrets.add(oneTimeCode);
    const target = { method: "GET", path: `api-clients/${pathSegment(this.#clientId)}/secret` } as const;
    const response = await this.#service.request({
      ...target,
      query: { one_time_code: oneTimeCode },
      schema: z.unknown(),
      isRepeatable: false,
      isFresh: true,
      isQuerySecret: true,
      mayBeText: true,
      awaitResponseOnAbort: true,
      signal,
    });
    const secret = findSecret(response);
    if (secret === undefined) throw new SecretNotFoundError(target, response);
    this.#secrets.add(secret);
    return secret;
  }

  /** Requests an access token. `POST api-clients/token`. Safe to repeat. */
  async requestToken({
    clientSecret,
    signal,
  }: Cancellable & { clientSecret: string }): Promise<TokenResponse> {
    this.#secrets.add(clientSecret);
    const target = { method: "POST", path: "api-clients/token" };
    const response = await this.#service.request({
      ...target,
      method: "POST",
      body: { client_id: this.#clientId, client_secret: clientSecret },
      schema: z.unknown(),
      isRepeatable: true,
      signal,
    });
    const found = findToken(response);
    if (!found) throw new UnexpectedResponseError(target, "it contains no access token");
    this.#secrets.add(found.accessToken);
    return found;
  }
}

const names = ["client_secret", "clientSecret", "secret"];

/**
 * Finds the secret in a response of undocumented shape. The secret is either the whole response, if that is a
 * single word, or the value of a field with a usual name, at the top level or one level below. Returns
 * `undefined` unless exactly one value qualifies.
 */
function findSecret(response: unknown): string | undefined {
  if (typeof response === "string") return /^[^\s<>{}[\]"]+$/.test(response) ? response : undefined;
  const objects = [response, ...Object.values(Object(response))].map((value) => Object(value));
  const found = objects.flatMap((object) => names.map((name) => object[name])).filter(isText);
  return new Set(found).size === 1 ? found[0] : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
