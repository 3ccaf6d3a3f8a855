import type { Logger } from "../../util/logger.ts";
import { TrinoError, TrinoQueryLostError, trinoLoginError, trinoUnreachableError } from "../errors.ts";
import type { RemoteResponse, RemoteService } from "../remote/remote-service.ts";
import type { TrinoOptions } from "./trino-options.ts";
import { parseTrinoResponse, type TrinoProgress, type TrinoResponse, toProgress } from "./trino-response.ts";

interface ProtocolOptions {
  service: RemoteService;
  user: string;
  headers: Readonly<Record<string, string>>;
  onProgress?: ((progress: TrinoProgress) => void) | undefined;
  logger: Logger;
}

/** Implements Trino's statement protocol: posts a statement and fetches its responses one after another. */
export class TrinoProtocol {
  readonly #options: ProtocolOptions;

  constructor(options: ProtocolOptions) {
    this.#options = options;
  }

  /**
   * Yields a statement's responses in order. If the caller stops reading or aborts, the cluster cancels the
   * statement.
   * @throws {TrinoError | TrinoQueryLostError | VenueError} or the signal's reason
   */
  async *responses(sql: string, signal: AbortSignal | undefined): AsyncGenerator<TrinoResponse> {
    const { service, headers, onProgress } = this.#options;
    let next: string | undefined;
    let queryId: string | undefined;
    try {
      do {
        // Posting the statement again is safe, because it starts only when its first response is fetched.
        const page = next === undefined ? undefined : getPath(next);
        const request = page
          ? ({ method: "GET", path: page, headers } as const)
          : ({ method: "POST", path: "/v1/statement", headers, body: sql } as const);
        const response = this.#read(await service.send({ ...request, signal, repeat: "always" }), queryId);
        next = response.nextUri;
        queryId = response.id;
        onProgress?.(toProgress(response));
        if (response.error) throw new TrinoError(this.#describeQuery(queryId), response.error);
        yield response;
      } while (next !== undefined);
    } catch (error) {
      // The cluster no longer runs the statement, so there is nothing to cancel.
      if (error instanceof TrinoError || error instanceof TrinoQueryLostError) next = undefined;
      throw error;
    } finally {
      if (next !== undefined) await this.#cancel(next, queryId);
    }
  }

  #read({ status, text }: RemoteResponse, queryId: string | undefined): TrinoResponse {
    const { service, user } = this.#options;
    if (status === 401 || status === 403) throw trinoLoginError(service.origin, user, text);
    if (queryId !== undefined && (status === 404 || status === 410)) {
      throw new TrinoQueryLostError(this.#describeQuery(queryId));
    }
    const response = status === 200 ? parseTrinoResponse(text) : undefined;
    if (response) return response;
    throw trinoUnreachableError(service.origin, {
      problem: `does not respond like Trino (status ${status}: ${JSON.stringify(text.trim().slice(0, 100))})`,
      nextStep: "Check the address.",
    });
  }

  async #cancel(next: string, queryId: string | undefined): Promise<void> {
    const { service, headers, logger } = this.#options;
    const signal = AbortSignal.timeout(10_000);
    try {
      await service.send({ method: "DELETE", path: getPath(next), headers, signal, repeat: "always" });
    } catch {
      logger.warn(`Trino query ${queryId} could not be cancelled; it ends by itself within a few minutes`);
    }
  }

  #describeQuery(queryId: string): { queryId: string; link: string } {
    return { queryId, link: `${this.#options.service.origin}/ui/query.html?${queryId}` };
  }
}

/**
 * Keeps only the path, so that credentials are sent only to the configured address, even if a response has
 * another host.
 */
function getPath(uri: string): string {
  const { pathname, search } = new URL(uri);
  return `${pathname}${search}`;
}

/** Returns the `Authorization` header, if there are credentials. */
export function buildAuthorization({ user, password, token }: TrinoOptions): string | undefined {
  if (token !== undefined) return `Bearer ${token}`;
  if (password === undefined) return undefined;
  // Trino and its clients use Latin-1 for credentials.
  return `Basic ${Buffer.from(`${user}:${password}`, "latin1").toString("base64")}`;
}

export function buildStatementHeaders({
  user,
  catalog,
  schema,
  session,
}: TrinoOptions): Record<string, string> {
  const properties = Object.entries(session ?? {}).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return {
    "content-type": "text/plain; charset=utf-8",
    "user-agent": "venue-analytics",
    "x-trino-user": user,
    "x-trino-source": "venue-analytics",
    "x-trino-catalog": catalog,
    ...(schema === undefined ? {} : { "x-trino-schema": schema }),
    "x-trino-time-zone": "UTC",
    // Without this header, timestamps have only milliseconds.
    "x-trino-client-capabilities": "PARAMETRIC_DATETIME",
    ...(properties.length > 0 ? { "x-trino-session": properties.join(",") } : {}),
  };
}
