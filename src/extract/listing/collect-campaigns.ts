import { ServiceRefusedError } from "../../api/errors.ts";
import type { ZoneListing } from "../../state/data/landings.ts";
import { contentKinds } from "../../util/kind.ts";
import { selectZonesToList } from "../collected-zones.ts";
import type { ExtractContext } from "../extract-context.ts";
import { type Attempt, type ExtractOrder, isCollected } from "../extract-order.ts";
import { computeGateLimit, priority, RequestGate } from "../request-gate.ts";
import { collectListing, type ListingSource } from "./collect-listing.ts";
import type { GroupZones } from "./group-zones.ts";

/**
 * Campaigns come first, because they contain the schedules. This order applies to listings last requested at
 * the same time.
 */
const listings = ["campaigns", "assets"] as const;

/**
 * Collects campaigns and assets of groups and zones, because campaigns can be enabled per zone. Each zone has
 * four listings. A sync requests as many of them as time allows, starting with those whose last request is
 * oldest.
 */
export class CampaignCollector {
  readonly #order: ExtractOrder;
  readonly #zones: GroupZones;
  readonly #context: ExtractContext;
  readonly #attempt: Attempt;
  readonly #gate: RequestGate;

  constructor(order: ExtractOrder, zones: GroupZones, context: ExtractContext, attempt: Attempt) {
    this.#order = order;
    this.#zones = zones;
    this.#context = context;
    this.#attempt = attempt;
    this.#gate = new RequestGate(computeGateLimit(context.ratePerSecond), context.stopping);
  }

  async collect(): Promise<void> {
    const { groupIds } = this.#order;
    const ofGroups = groupIds.flatMap((groupId) =>
      listings.flatMap((source) => contentKinds.map((kind): ListingSource => ({ source, kind, groupId }))),
    );
    await Promise.all([
      this.#collectAll(ofGroups.filter((listing) => this.#isOpen(listing))),
      this.#collectOfZones(),
    ]);
  }

  async #collectOfZones(): Promise<void> {
    const { groupIds, zoneListings } = this.#order;
    if (zoneListings === 0) return;
    const zones = new Set((await Promise.all(groupIds.map((id) => this.#zones.ofGroup(id)))).flat());
    const open = this.#sortByLastRequest(selectZonesToList([...zones], this.#context));
    await this.#collectAll(open.slice(0, zoneListings));
    this.#context.progress.leave("campaigns", Math.max(0, open.length - zoneListings));
  }

  #sortByLastRequest(zoneIds: readonly number[]): ZoneListing[] {
    const { state, service } = this.#context;
    const dated = listings.flatMap((source) =>
      contentKinds.flatMap((kind) => {
        const listLastRequests = state.landings.listLastRequests(service, { source, kind });
        return zoneIds.map((zoneId) => ({
          listing: { source, kind, zoneId } as const,
          lastRequestAt: listLastRequests.get(zoneId) ?? "",
        }));
      }),
    );
    return dated
      .sort((left, right) =>
        left.lastRequestAt < right.lastRequestAt ? -1 : left.lastRequestAt > right.lastRequestAt ? 1 : 0,
      )
      .map(({ listing }) => listing)
      .filter((listing) => this.#isOpen(listing));
  }

  #isOpen(listing: ListingSource): boolean {
    return !isCollected(listing, "campaigns", this.#context);
  }

  async #collectAll(sources: readonly ListingSource[]): Promise<void> {
    this.#context.progress.expect("campaigns", sources.length, sources.length);
    await Promise.all(sources.map((listing) => this.#collect(listing)));
  }

  async #collect(listing: ListingSource): Promise<void> {
    await this.#attempt("campaigns", describe(listing), async (context) => {
      const leave = await this.#gate.enter(priority.campaigns);
      try {
        return await collectListing(listing, context);
      } catch (error) {
        if ("zoneId" in listing) recordFailure(listing, error, context);
        throw error;
      } finally {
        leave();
      }
    });
  }
}

/** Records a refusal as a request. Otherwise, refused listings would always come first. */
function recordFailure(listing: ZoneListing, error: unknown, context: ExtractContext): void {
  const { state, service, clock } = context;
  if (error instanceof ServiceRefusedError) state.landings.recordRefusal(service, listing, clock.now());
}

function describe(listing: ListingSource): string {
  const owner = "groupId" in listing ? `group ${listing.groupId}` : `zone ${listing.zoneId}`;
  return `${"kind" in listing ? `${listing.kind} ` : ""}${listing.source} of ${owner}`;
}
