import { ServiceRefusedError } from "../api/errors.ts";
import { type Kind, kinds } from "../util/kind.ts";
import { VenueError } from "../util/venue-error.ts";
import { isUnlisted } from "./collected-zones.ts";
import { collectExport, ExportGivenUpError, ExportRefusedError } from "./export/collect-export.ts";
import type { ExportSource } from "./export/request-export.ts";
import type { ExtractContext } from "./extract-context.ts";
import { type Attempt, type ExtractOrder, isCollected } from "./extract-order.ts";
import type { GroupZones } from "./listing/group-zones.ts";
import { computeGateLimit, type Priority, priority, RequestGate } from "./request-gate.ts";
import { collectWalk } from "./walk/collect-walk.ts";

/** Collects each group's history of each kind, either through an export or by walking the group's zones. */
export class HistoryCollector {
  readonly #order: ExtractOrder;
  readonly #zones: GroupZones;
  readonly #context: ExtractContext;
  readonly #attempt: Attempt;
  /** Limits the number of concurrent walks. */
  readonly #walkGate: RequestGate;
  /** Walks of this run, keyed by kind and zone, so that a zone in two groups is walked once. */
  readonly #walks = new Map<string, Promise<unknown>>();
  /** Kinds of history that the service refused in this run, keyed by zone id. */
  readonly #refused = new Map<number, Set<Kind>>();
  /** Exports that were refused once and will be retried; see `deferred` in the export policy. */
  readonly #deferred: ExportSource[] = [];

  constructor(order: ExtractOrder, zones: GroupZones, context: ExtractContext, attempt: Attempt) {
    this.#order = order;
    this.#zones = zones;
    this.#context = context;
    this.#attempt = attempt;
    // Allows twice as many walks as requests, so that a walk is always ready for the next request, before any
    // campaign.
    this.#walkGate = new RequestGate(2 * computeGateLimit(context.ratePerSecond), context.stopping);
  }

  async collect(): Promise<void> {
    const { groupIds, ways } = this.#order;
    const histories = groupIds.flatMap((groupId) => kinds.map((kind) => ({ groupId, kind })));
    await Promise.all(
      histories.map(({ groupId, kind }) => {
        const way = ways.find((candidate) => candidate.groupId === groupId && candidate.kind === kind)?.way;
        return way === "walk" ? this.#walkGroup(groupId, kind) : this.#export({ groupId, kind });
      }),
    );
  }

  /** Retries each deferred export once. Called after everything else is collected. */
  async collectRefused(): Promise<void> {
    await Promise.all(this.#deferred.splice(0).map((source) => this.#collectExport(source)));
  }

  async #export(source: ExportSource): Promise<void> {
    if (isCollected({ source: "export", ...source }, "history", this.#context)) return;
    await this.#collectExport(source);
  }

  async #collectExport(source: ExportSource): Promise<void> {
    const { kind, groupId } = source;
    const { progress, logger } = this.#context;
    progress.expect("history", 1, 2);
    let givenUp: ExportGivenUpError | undefined;
    let refused: ExportRefusedError | undefined;
    const outcome = await this.#attempt("history", `${kind} history of group ${groupId}`, async (context) => {
      try {
        return await collectExport(source, context);
      } catch (error) {
        if (error instanceof ExportGivenUpError) givenUp = error;
        else if (error instanceof ExportRefusedError) refused = error;
        else throw error;
        return undefined;
      }
    });
    if (refused) {
      logger.warn(refused.message);
      this.#deferred.push(source);
    } else if (outcome === undefined) await this.#walkGroup(groupId, kind, givenUp);
  }

  /** @param givenUp failure of the export that the walks replace */
  async #walkGroup(groupId: number, kind: Kind, givenUp?: ExportGivenUpError): Promise<void> {
    const zoneIds = await this.#zones.ofGroup(groupId);
    const { state, service, collectionId, progress, logger } = this.#context;
    if (givenUp && zoneIds.length > 0)
      logger.warn(`${givenUp.message} Walking the zones of group ${groupId} instead.`);
    const note = givenUp && "walked, because the service failed its export";
    if (zoneIds.length === 0 && !state.landings.isComplete(collectionId, { source: "devices", groupId })) {
      const name = `${kind} history of group ${groupId}`;
      progress.expect("history", 1, 0);
      await this.#attempt("history", name, async ({ stopping }) => {
        // If time ran out, the device listing was skipped too. The group is then left to the next sync.
        stopping.throwIfAborted();
        const failure = givenUp?.cause ?? this.#zones.findListingFailure(groupId) ?? givenUp;
        throw failure ?? noZonesKnownError(groupId);
      });
    }
    const open = zoneIds.filter((zoneId) => {
      if (this.#walks.has(`${kind} ${zoneId}`)) return false;
      const isDone = isCollected({ source: "walk", kind, zoneId }, "history", this.#context);
      if (isDone) this.#walks.set(`${kind} ${zoneId}`, Promise.resolve());
      return !isDone;
    });
    const known = new Map(
      open.map((zoneId) => [zoneId, state.walks.find(service, { kind, zoneId })] as const),
    );
    // Unfinished walks come first, followed by the zones whose last complete walk is oldest.
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
      const leave = await this.#walkGate.enter(this.#rank(zoneId, kind));
      try {
        const { landing, why, note: oddity } = await collectWalk({ kind, zoneId }, context);
        const notes = [note, oddity].filter((one) => one !== undefined);
        if (why !== undefined) return { landing, why };
        return { landing, ...(notes.length > 0 ? { note: notes.join("; ") } : {}) };
      } catch (error) {
        if (error instanceof ServiceRefusedError && [403, 404, 410].includes(error.status))
          this.#recordRefusal(zoneId, kind);
        throw error;
      } finally {
        leave();
      }
    });
  }

  /**
   * Marks a zone as gone if it is unlisted and the service refused every kind. One refusal is not enough,
   * because a zone may have only one kind of history.
   */
  #recordRefusal(zoneId: number, kind: Kind): void {
    const { state, service, clock } = this.#context;
    const refused = (this.#refused.get(zoneId) ?? new Set()).add(kind);
    this.#refused.set(zoneId, refused);
    if (refused.size === kinds.length && isUnlisted(zoneId, this.#context))
      state.zones.markGone(service, zoneId, clock.now());
  }

  /**
   * Returns a lower priority for a zone that an earlier run of this collection failed to read. Zones that the
   * run did not reach come first.
   */
  #rank(zoneId: number, kind: Kind): Priority {
    const { state, collectionId } = this.#context;
    const isAgain = state.landings.isComplete(collectionId, { source: "walk", kind, zoneId }) === false;
    return isAgain ? priority.campaigns : priority.history;
  }
}

/** Thrown if a group must be walked, but its device listing is unusable and no zones are known. */
function noZonesKnownError(groupId: number): VenueError {
  return new VenueError(
    "NO_ZONES_KNOWN",
    "service",
    `Group ${groupId} has no known zones to walk, because its device list can't be used. ` +
      "Run the sync again to list the devices again.",
  );
}
