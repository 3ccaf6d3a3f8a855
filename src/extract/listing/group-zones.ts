import { listZonesToCollect } from "../collected-zones.ts";
import type { ExtractContext } from "../extract-context.ts";
import { type Attempt, type ExtractOrder, isCollected } from "../extract-order.ts";
import { collectListing } from "./collect-listing.ts";

/** Finds each group's zones in this run's device listings, in earlier listings, and in history. */
export class GroupZones {
  readonly #order: ExtractOrder;
  readonly #context: ExtractContext;
  readonly #attempt: Attempt;
  readonly #listings = new Map<number, Promise<unknown>>();
  /** Errors of failed device listings, by group. */
  readonly #failures = new Map<number, unknown>();

  constructor(order: ExtractOrder, context: ExtractContext, attempt: Attempt) {
    this.#order = order;
    this.#context = context;
    this.#attempt = attempt;
  }

  /** Collects the device listings, if the order includes them. */
  async collect(): Promise<void> {
    const { groupIds, topics } = this.#order;
    if (!topics.includes("devices")) return;
    await Promise.all(groupIds.map((groupId) => this.#list(groupId)));
  }

  /**
   * Returns a group's zones to collect. If no zones are known, requests the device listing even if the order
   * does not include devices.
   */
  async ofGroup(groupId: number): Promise<number[]> {
    const { topics } = this.#order;
    if (topics.includes("devices") || this.#known(groupId).length === 0) await this.#list(groupId);
    return this.#known(groupId);
  }

  /** Returns the error of a group's device listing in this run. */
  findListingFailure(groupId: number): unknown {
    return this.#failures.get(groupId);
  }

  #known(groupId: number): number[] {
    const { state, service, clock } = this.#context;
    return listZonesToCollect(groupId, { state, service, now: clock.now() });
  }

  /** Requests the device listing once per run. Skips it if an earlier run of this collection has collected it. */
  async #list(groupId: number): Promise<void> {
    const source = { source: "devices", groupId } as const;
    if (!this.#listings.has(groupId) && isCollected(source, "devices", this.#context)) {
      this.#listings.set(groupId, Promise.resolve());
    }
    if (!this.#listings.has(groupId)) {
      this.#context.progress.expect("devices", 1, 1);
      const collected = this.#attempt("devices", `devices of group ${groupId}`, async (context) => {
        try {
          return await collectListing(source, context);
        } catch (error) {
          this.#failures.set(groupId, error);
          throw error;
        }
      });
      this.#listings.set(groupId, collected);
    }
    await this.#listings.get(groupId);
  }
}
