import { contentKinds } from "../../util/kind.ts";
import { noteGoneZone } from "../asked-zones.ts";
import type { ExtractContext } from "../extract-context.ts";
import type { Attempt, ExtractOrder } from "../extract-order.ts";
import { isCollected } from "../is-collected.ts";
import { gateLimit, priority, RequestGate } from "../request-gate.ts";
import { collectListing, type ListingSource } from "./collect-listing.ts";
import type { GroupZones } from "./group-zones.ts";

/** Where two were last seen at the same time, the one that says when campaigns run comes first. */
const listings = ["campaigns", "assets"] as const;

type ZoneListing = Extract<ListingSource, { zoneId: number }>;

/**
 * Campaigns and assets of the groups, and of their zones, because campaigns are enabled zone by zone. There are four
 * listings per zone: each sync asks for those that were not seen for longest, as many as it was given time for.
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
    this.#gate = new RequestGate(gateLimit(context.ratePerSecond), context.stopping);
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
    const open = this.#longestUnseenFirst([...zones]);
    await this.#collectAll(open.slice(0, zoneListings));
    this.#context.progress.leave("campaigns", Math.max(0, open.length - zoneListings));
  }

  #longestUnseenFirst(zoneIds: readonly number[]): ZoneListing[] {
    const { landings } = this.#context.state;
    const dated = listings.flatMap((source) =>
      contentKinds.flatMap((kind) => {
        const seen = landings.lastRequests(source, kind);
        return zoneIds.map((zoneId) => ({
          listing: { source, kind, zoneId } as const,
          seenAt: seen.get(zoneId) ?? "",
        }));
      }),
    );
    return dated
      .sort((left, right) => (left.seenAt < right.seenAt ? -1 : left.seenAt > right.seenAt ? 1 : 0))
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
        const { state, service, clock } = context;
        if ("zoneId" in listing) noteGoneZone(listing.zoneId, error, { state, service, now: clock.now() });
        throw error;
      } finally {
        leave();
      }
    });
  }
}

function describe(listing: ListingSource): string {
  const owner = "groupId" in listing ? `group ${listing.groupId}` : `zone ${listing.zoneId}`;
  return `${"kind" in listing ? `${listing.kind} ` : ""}${listing.source} of ${owner}`;
}
