import { type Kind, kinds } from "../util/kind.ts";
import { VenueError } from "../util/venue-error.ts";
import { collectExport, ExportGivenUpError } from "./collect-export.ts";
import type { ExtractContext } from "./extract-context.ts";
import type { Attempt, ExtractOrder } from "./extract-order.ts";
import type { GroupZones } from "./group-zones.ts";
import { gateLimit, priority, RequestGate } from "./request-gate.ts";
import { collectWalk } from "./walk/collect-walk.ts";

/** Histories of all groups and kinds, each as an export of the group or as walks of its zones. */
export class HistoryCollector {
  readonly #order: ExtractOrder;
  readonly #zones: GroupZones;
  readonly #context: ExtractContext;
  readonly #attempt: Attempt;
  /** Walks at a time: each waits for its own answers. */
  readonly #walkGate: RequestGate;
  /** A zone that two groups hold is walked once. */
  readonly #walks = new Map<string, Promise<unknown>>();

  constructor(order: ExtractOrder, zones: GroupZones, context: ExtractContext, attempt: Attempt) {
    this.#order = order;
    this.#zones = zones;
    this.#context = context;
    this.#attempt = attempt;
    // Twice as many as requests at a time: there is always one that goes before campaigns.
    this.#walkGate = new RequestGate(2 * gateLimit(context.ratePerSecond), context.stopping);
  }

  async collect(): Promise<void> {
    const { groupIds, ways } = this.#order;
    const histories = groupIds.flatMap((groupId) => kinds.map((kind) => ({ groupId, kind })));
    await Promise.all(
      histories.map(({ groupId, kind }) => {
        const way = ways.find((candidate) => candidate.groupId === groupId && candidate.kind === kind)?.way;
        return way === "walk" ? this.#walkGroup(groupId, kind) : this.#export(groupId, kind);
      }),
    );
  }

  async #export(groupId: number, kind: Kind): Promise<void> {
    const { state, collectionId, progress, logger } = this.#context;
    if (state.landings.has(collectionId, { source: "export", kind, groupId })) return;
    progress.expect("history", 1, 2);
    let refusal: unknown;
    const outcome = await this.#attempt("history", `${kind} history of group ${groupId}`, async (context) => {
      try {
        return { landing: await collectExport({ kind, groupId }, context) };
      } catch (error) {
        if (!(error instanceof ExportGivenUpError)) throw error;
        refusal = error.cause;
        logger.warn(`${error.message} The zones of group ${groupId} are walked instead.`);
        return undefined;
      }
    });
    if (outcome === undefined)
      await this.#walkGroup(groupId, kind, "walked, because the service failed its export", refusal);
  }

  /** @param refusal why no export can be had; what is told where there is nothing to walk, too */
  async #walkGroup(groupId: number, kind: Kind, note?: string, refusal?: unknown): Promise<void> {
    const zoneIds = await this.#zones.ofGroup(groupId);
    const { state, service, collectionId, progress } = this.#context;
    if (zoneIds.length === 0 && !state.landings.has(collectionId, { source: "devices", groupId })) {
      const name = `${kind} history of group ${groupId}`;
      progress.expect("history", 1, 0);
      await this.#attempt("history", name, async ({ stopping }) => {
        // There was no time for the devices listing either.
        stopping.throwIfAborted();
        throw refusal ?? new NoZonesKnownError(groupId);
      });
    }
    const open = zoneIds.filter((zoneId) => {
      const isNew = !this.#walks.has(`${kind} ${zoneId}`);
      return isNew && !state.landings.has(collectionId, { source: "walk", kind, zoneId });
    });
    const known = new Map(
      open.map((zoneId) => [zoneId, state.walks.find(service, { kind, zoneId })] as const),
    );
    // Those under way first, then the longest unseen.
    const rank = (zoneId: number) => {
      const walk = known.get(zoneId);
      return walk?.progress === undefined ? (walk?.completedAt?.getTime() ?? 0) : -1;
    };
    progress.expect("history", open.length, open.length);
    for (const zoneId of open.sort((left, right) => rank(left) - rank(right))) {
      this.#walks.set(`${kind} ${zoneId}`, this.#walk(zoneId, kind, note));
    }
    await Promise.all(zoneIds.map((zoneId) => this.#walks.get(`${kind} ${zoneId}`)));
  }

  async #walk(zoneId: number, kind: Kind, note: string | undefined): Promise<void> {
    await this.#attempt("history", `${kind} history of zone ${zoneId}`, async (context) => {
      const leave = await this.#walkGate.enter(priority.history);
      try {
        const { landing, why } = await collectWalk({ kind, zoneId }, context);
        return { landing, ...(note === undefined ? {} : { note }), ...(why === undefined ? {} : { why }) };
      } finally {
        leave();
      }
    });
  }
}

/** A group is to be walked, but nothing tells its zones. */
class NoZonesKnownError extends VenueError {
  override readonly name = "NoZonesKnownError";
  readonly code = "NO_ZONES_KNOWN";
  readonly category = "service";

  constructor(groupId: number) {
    super(
      `No zone of group ${groupId} is known, because its devices can't be listed: there is nothing to walk. ` +
        "Ask the operator whether this API client may read the group.",
    );
  }
}
