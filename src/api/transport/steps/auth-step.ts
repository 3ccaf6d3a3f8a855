import type { Dispatcher } from "undici";
import type { StoredToken } from "../../../state/client/token-store.ts";
import { monotonicMs } from "../../../util/clock.ts";
import type { ServiceAddress } from "../service-address.ts";
import { type ApiCall, callOf } from "./api-call.ts";
import { PassingHandler } from "./passing-handler.ts";
import { RelayController } from "./relay-controller.ts";

/** A token that the service did not accept: which one, and when that was known, on the monotonic clock. */
export interface TokenRefusal {
  generation: number;
  atMs: number;
}

/**
 * What it means that a request was refused for its tokens:
 * - `renew`: the last token served for a while, another has got one meanwhile, or it is the first that was refused
 * - `request refused`: its tokens serve, or served, other requests: what it asks for may not be granted
 * - `credentials refused`: not even a new token was accepted at its first use
 */
export type TokenVerdict = "renew" | "request refused" | "credentials refused";

/** Where access tokens come from. */
export interface TokenSource {
  readonly clientId: string;
  /**
   * A token that should be accepted.
   * @param refused the generation of one that the service did not accept: another is needed
   */
  get(signal: AbortSignal | undefined, refused?: number): Promise<StoredToken>;
  /**
   * The service accepted a token with a request that was sent at this instant of the monotonic clock.
   * @param endpoint what was asked for, without what it was asked about
   */
  accept(generation: number, sentMs: number, endpoint: string): void;
  /** Whether a token came a few minutes ago. */
  isNew(generation: number): boolean;
  /** @param refusals of one request, the last one just now */
  judge(refusals: readonly TokenRefusal[], endpoint: string): TokenVerdict;
}

/**
 * Adds the access token to requests that go to the service itself, and to no others. When the service does not
 * accept it (401), the request is sent again with another one, as often as tokens serve for a while; when it forbids the
 * request (403), once, unless the token is new.
 */
export function authStep(
  address: ServiceAddress,
  tokens: TokenSource,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    if (!address.owns(options.origin, options.path)) return dispatch(options, handler);
    const request = new AuthorizedRequest(tokens, callOf(options), handler, (token, next) => {
      const headers = { ...(options.headers as Record<string, string>), authorization: `Bearer ${token}` };
      return dispatch({ ...options, headers }, next);
    });
    void request.start();
    return true;
  };
}

class AuthorizedRequest extends PassingHandler {
  readonly #tokens: TokenSource;
  readonly #call: ApiCall;
  readonly #dispatch: (token: string, handler: Dispatcher.DispatchHandler) => boolean;
  #generation = 0;
  #sentMs = 0;
  readonly #refusals: TokenRefusal[] = [];
  /** A 401 is being swallowed: another token follows. */
  #isRefused = false;

  constructor(
    tokens: TokenSource,
    call: ApiCall,
    handler: Dispatcher.DispatchHandler,
    dispatch: (token: string, handler: Dispatcher.DispatchHandler) => boolean,
  ) {
    super(handler);
    this.#tokens = tokens;
    this.#call = call;
    this.#dispatch = dispatch;
  }

  async start(refused?: number): Promise<void> {
    this.#call.wasSent = false;
    try {
      const token = await this.#tokens.get(this.#call.signal, refused);
      this.#generation = token.generation;
      this.#dispatch(token.accessToken, this);
    } catch (error) {
      super.onResponseError(new RelayController(), error as Error);
    }
  }

  override onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#sentMs = monotonicMs();
    super.onRequestStart(controller, context);
  }

  override onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusText?: string,
  ): void {
    if (status >= 200 && status < 300)
      this.#tokens.accept(this.#generation, this.#sentMs, endpointOf(this.#call));
    this.#isRefused = (status === 401 && this.#mayTryAgain()) || (status === 403 && this.#mayHaveEnded());
    if (!this.#isRefused) super.onResponseStart(controller, status, headers, statusText);
  }

  override onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isRefused) super.onResponseData(controller, chunk);
  }

  override onResponseEnd(
    controller: Dispatcher.DispatchController,
    trailers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#isRefused) this.#tryAgain();
    else super.onResponseEnd(controller, trailers);
  }

  override onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isRefused && !this.#call.signal?.aborted) this.#tryAgain();
    else super.onResponseError(controller, error);
  }

  #mayTryAgain(): boolean {
    this.#refusals.push({ generation: this.#generation, atMs: monotonicMs() });
    const verdict = this.#tokens.judge(this.#refusals, endpointOf(this.#call));
    if (verdict === "credentials refused") this.#call.refusedClientId = this.#tokens.clientId;
    return verdict === "renew";
  }

  /** Services may forbid what comes with a token that has ended. */
  #mayHaveEnded(): boolean {
    return !this.#tokens.isNew(this.#generation);
  }

  #tryAgain(): void {
    this.#isRefused = false;
    void this.start(this.#generation);
  }
}

function endpointOf({ target: { method, path } }: ApiCall): string {
  return `${method} ${path.replace(/\?.*/, "")}`;
}
