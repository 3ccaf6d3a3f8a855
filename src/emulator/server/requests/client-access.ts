import { randomBytes } from "node:crypto";
import { RefusalError } from "../refusal-error.ts";

export interface ApiClient {
  clientId: string;
  clientSecret: string;
  oneTimeCode: string;
  /** Groups that the client may read. */
  groupIds: readonly number[];
}

/** Controls access by secret (shown only once), token and group. Tokens expire on the real clock. */
export class ClientAccess {
  readonly #client: ApiClient;
  readonly #tokenSeconds: number;
  readonly #tokenExpiries = new Map<string, number>();
  #isCodeUsed = false;

  constructor(client: ApiClient, tokenSeconds: number) {
    this.#client = client;
    this.#tokenSeconds = tokenSeconds;
  }

  /** Returns true for the client's identifier. Requests from all others share one budget. */
  knows(clientId: unknown): clientId is string {
    return clientId === this.#client.clientId;
  }

  /** @throws {RefusalError} 404 for an unknown client, 403 for a wrong code, 410 once the secret was shown */
  takeSecret(clientId: string, oneTimeCode: string): string {
    if (!this.knows(clientId)) throw new RefusalError(404, "unknown_client", "Unknown API client.");
    if (oneTimeCode !== this.#client.oneTimeCode)
      throw new RefusalError(403, "wrong_code", "The code is wrong.");
    if (this.#isCodeUsed) throw new RefusalError(410, "code_used", "The secret was already retrieved.");
    this.#isCodeUsed = true;
    return this.#client.clientSecret;
  }

  /** @throws {RefusalError} 401 for wrong credentials */
  issueToken(clientId: unknown, clientSecret: unknown): { token: string; expiresInSeconds: number } {
    if (!this.knows(clientId) || clientSecret !== this.#client.clientSecret) {
      throw new RefusalError(401, "invalid_client", "The client identifier or secret is wrong.");
    }
    const token = randomBytes(24).toString("base64url");
    this.#tokenExpiries.set(token, Date.now() + this.#tokenSeconds * 1000);
    return { token, expiresInSeconds: this.#tokenSeconds };
  }

  /** Returns the client that a valid token was issued to. */
  findClientId(token: string | undefined): string | undefined {
    const expiresAtMs = this.#tokenExpiries.get(token ?? "");
    return expiresAtMs !== undefined && Date.now() < expiresAtMs ? this.#client.clientId : undefined;
  }

  revokeToken(token: string): void {
    this.#tokenExpiries.delete(token);
  }

  /** Returns true if the client may read any of the groups. */
  mayRead(groupIds: readonly number[]): boolean {
    return groupIds.some((groupId) => this.#client.groupIds.includes(groupId));
  }
}

/** Returns the token in `Authorization: Bearer <ACCESS_TOKEN>`. */
export function findBearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer (\S+)$/.exec(authorization ?? "")?.[1];
}
