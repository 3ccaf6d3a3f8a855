import { askedZones } from "../asked-zones.ts";
import type { ExtractContext } from "../extract-context.ts";
import { type Attempt, type ExtractOrder, isCollected } from "../extract-order.ts";
import { collectListing } from "./collect-listing.ts";

/** Which zones the groups have: from their devices listings of this run, from earlier ones, and from history. */
export class GroupZones {
  readonly #order: ExtractOrder;
  readonly #context: ExtractContext;
  readonly #attempt: Attempt;
  readonly #listings = new Map<number, Promise<unknown>>();
  /** By group: why its devices could not be listed. */
  readonly #failures = new Map<number, unknown>();

  constructor(order: ExtractOrder, context: ExtractContext, attempt: Attempt) {
    this.#order = order;
    this.#context = context;
    this.#attempt = attempt;
  }

  /** Collects the devices listings that are ordered. */
  async collect(): Promise<void> {
    const { groupIds, topics } = this.#order;
    if (!topics.includes("devices")) return;
    await Promise.all(groupIds.map((groupId) => this.#list(groupId)));
  }

  /**
   * The zones to ask about, those that the service no longer knows left out. A group without any known zone is asked
   * for its devices, whether they are ordered or not.
   */
  async ofGroup(groupId: number): Promise<number[]> {
    const { topics } = this.#order;
    if (topics.includes("devices") || this.#known(groupId).length === 0) await this.#list(groupId);
    return this.#known(groupId);
  }

  /** Why the devices of a group could not be listed in this run. */
  findListingFailure(groupId: number): unknown {
    return this.#failures.get(groupId);
  }

  #known(groupId: number): number[] {
    const { state, service, clock } = this.#context;
    const { zonesInHistory } = this.#order;
    return askedZones(groupId, { state, service, now: clock.now(), zonesInHistory });
  }

  /** Once per run, and not at all where an earlier run that is gone on with did so. */
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
