import { type Agent, type Dispatcher, interceptors } from "undici";
import type { RequestBudget } from "../../state/client/request-budget.ts";
import type { Clock } from "../../util/clock.ts";
import { createHttpAgent } from "../../util/http-agent.ts";
import type { Logger } from "../../util/logger.ts";
import type { RetryOptions } from "../../util/retry-delays.ts";
import type { ServiceAddress } from "./service-address.ts";
import type { AnswerStore } from "./steps/answer-store.ts";
import { authStep, type TokenSource } from "./steps/auth-step.ts";
import { budgetStep } from "./steps/budget-step.ts";
import { dateStep } from "./steps/date-step.ts";
import { freshConnections } from "./steps/fresh-connections.ts";
import { lookAgainStep } from "./steps/look-again-step.ts";
import { renewStep } from "./steps/renew-step.ts";
import { retryStep } from "./steps/retry-step.ts";
import type { Timeouts } from "./timeouts.ts";

export interface TransportOptions {
  budget: RequestBudget;
  retry: Required<RetryOptions>;
  timeouts: Required<Timeouts>;
  clock: Clock;
  logger: Logger;
  onSent(): void;
  /** Where answers are kept as long as the service allows it. */
  store: AnswerStore;
}

/** The connections to the service, and the steps that every request passes on its way to them. */
export class Transport {
  /** For requests without an access token whose answers are kept nowhere: the token itself, and the secret. */
  readonly open: Dispatcher;
  /** For requests without an access token. */
  readonly anonymous: Dispatcher;
  readonly #connections: Agent;
  readonly #freshConnections: Agent;
  readonly #steps: {
    toWire: Dispatcher.DispatcherComposeInterceptor[];
    retry: Dispatcher.DispatcherComposeInterceptor;
    cache: Dispatcher.DispatcherComposeInterceptor[];
  };

  constructor(options: TransportOptions) {
    const { timeouts, store } = options;
    this.#connections = createHttpAgent({ connect: { timeout: timeouts.connectMs } });
    this.#freshConnections = createHttpAgent({ connect: { timeout: timeouts.connectMs }, pipelining: 0 });
    this.#steps = {
      toWire: [
        freshConnections(this.#freshConnections),
        dateStep(options.clock),
        budgetStep({ ...options, isAnswered: (request) => store.hasFresh(request) }),
      ],
      retry: retryStep(options),
      cache: [renewStep(store), interceptors.cache({ store, type: "private" }), lookAgainStep],
    };
    const { toWire, retry, cache } = this.#steps;
    this.open = this.#connections.compose(...toWire, retry);
    this.anonymous = this.#connections.compose(...toWire, retry, ...cache);
  }

  /** For requests with an access token. From wire to caller: date, budget, auth, retry, cache. */
  authorized(address: ServiceAddress, tokens: TokenSource): Dispatcher {
    const { toWire, retry, cache } = this.#steps;
    return this.#connections.compose(...toWire, authStep(address, tokens), retry, ...cache);
  }

  /** The same for requests whose answers are kept nowhere, and that make no kept answer doubtful. */
  uncached(address: ServiceAddress, tokens: TokenSource): Dispatcher {
    const { toWire, retry } = this.#steps;
    return this.#connections.compose(...toWire, authStep(address, tokens), retry);
  }

  /** Ends all connections; requests under way fail. */
  async close(): Promise<void> {
    await Promise.all([this.#connections.destroy(), this.#freshConnections.destroy()]);
  }
}
