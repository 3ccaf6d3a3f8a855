import type { Dispatcher } from "undici";
import type { StoredToken } from "../../state/client/token-store.ts";
import { type ApiCall, callOf } from "./api-call.ts";
import { RelayController } from "./relay-controller.ts";
import type { ServiceAddress } from "./service-address.ts";

/** Where access tokens come from. */
export interface TokenSource {
  /**
   * A token that should be accepted.
   * @param refused the generation of one that the service did not accept: another is needed
   */
  get(signal: AbortSignal | undefined, refused?: number): Promise<StoredToken>;
}

/**
 * Adds the access token to requests that go to the service itself, and to no others. When the service does not
 * accept it (401), the request is sent once more with another one.
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

class AuthorizedRequest implements Dispatcher.DispatchHandler {
  readonly #tokens: TokenSource;
  readonly #call: ApiCall;
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #dispatch: (token: string, handler: Dispatcher.DispatchHandler) => boolean;
  #generation = 0;
  /** A 401 is being swallowed: another token follows. */
  #isRefused = false;
  #isSecondTry = false;

  constructor(
    tokens: TokenSource,
    call: ApiCall,
    handler: Dispatcher.DispatchHandler,
    dispatch: (token: string, handler: Dispatcher.DispatchHandler) => boolean,
  ) {
    this.#tokens = tokens;
    this.#call = call;
    this.#handler = handler;
    this.#dispatch = dispatch;
  }

  async start(refused?: number): Promise<void> {
    this.#call.wasSent = false;
    try {
      const token = await this.#tokens.get(this.#call.signal, refused);
      this.#generation = token.generation;
      this.#dispatch(token.accessToken, this);
    } catch (error) {
      this.#handler.onResponseError?.(new RelayController(), error as Error);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusText?: string,
  ): void {
    this.#isRefused = status === 401 && !this.#isSecondTry;
    if (!this.#isRefused) this.#handler.onResponseStart?.(controller, status, headers, statusText);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isRefused) this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(
    controller: Dispatcher.DispatchController,
    trailers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#isRefused) this.#tryAgain();
    else this.#handler.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isRefused && !this.#call.signal?.aborted) this.#tryAgain();
    else this.#handler.onResponseError?.(controller, error);
  }

  #tryAgain(): void {
    this.#isRefused = false;
    this.#isSecondTry = true;
    void this.start(this.#generation);
  }
}
