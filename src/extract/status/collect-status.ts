import { rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eachStatusPage } from "../../api/each-record.ts";
import type { ReadInput } from "../../api/endpoints/inputs.ts";
import type { Notice } from "../../api/records/status.ts";
import type { KnownNotice } from "../../state/data/collections.ts";
import { createLandingId, type Landing } from "../../state/data/landings.ts";
import type { ExtractContext } from "../extract-context.ts";
import type { CollectResult, StatusSource } from "../extract-order.ts";
import { InvalidRecords } from "../listing/collect-listing.ts";

type StatusListing = "notices" | "components";

type StatusContext = Pick<
  ExtractContext,
  "folder" | "state" | "clock" | "signal" | "stopping" | "collectionId" | "progress"
>;

/** Collects the current state of all components, with one component per line. */
export async function collectComponents(
  { client }: StatusSource,
  context: StatusContext,
): Promise<CollectResult> {
  const date = new ListingDate("components", context);
  const { onProduced } = date;
  const lines: string[] = [];
  const invalidRecords = new InvalidRecords();
  const { onInvalidRecord } = invalidRecords;
  let total = 0;
  const pages = (page: number | undefined) => {
    context.stopping.throwIfAborted();
    return client.componentsPage({ page, onInvalidRecord, onProduced, signal: context.signal });
  };
  for await (const { records, total_count } of eachStatusPage(pages)) {
    total = total_count;
    lines.push(...records.map((component) => JSON.stringify(component)));
  }
  if (lines.length === 0) invalidRecords.refuse();
  const missing = findIncompleteReason("components", lines.length + invalidRecords.count, total);
  return await land("components", { lines, invalidRecords, date, missing }, context);
}

/**
 * Collects new or changed notices from listings, with one notice per line. Does not request each notice's
 * updates, because that would take more requests than everything else. Stops reading old notices once the
 * number of known notices equals the total.
 */
export async function collectNotices(
  { client, url }: StatusSource,
  context: StatusContext,
): Promise<CollectResult> {
  const { state } = context;
  const date = new ListingDate("notices", context);
  const { onProduced } = date;
  const known = state.knownNotices.known(url);
  const changed: KnownNotice[] = [];
  const lines: string[] = [];
  const missing: string[] = [];
  const invalidRecords = new InvalidRecords();
  const { onInvalidRecord } = invalidRecords;
  const seen = new Set<number>();
  /** Timeline states whose notices were all listed. */
  const whole = new Set<string>();
  for (const timelineState of ["present", "future", "past_recent", "past_distant"] as const) {
    let knownCount = [...known.values()].filter((notice) => notice.timelineState === timelineState).length;
    const invalidBefore = invalidRecords.count;
    const countInvalid = () => invalidRecords.count - invalidBefore;
    let [listed, total] = [0, 0];
    let isCutShort = false;
    const pages = (page: number | undefined) => {
      context.stopping.throwIfAborted();
      return client.noticesPage({ timelineState, page, onInvalidRecord, onProduced, signal: context.signal });
    };
    for await (const { records, total_count } of eachStatusPage(pages)) {
      const isAsKnown = records.every(
        ({ id, updated_at }) => known.get(id)?.updatedAt === (updated_at ?? ""),
      );
      [listed, total] = [listed + records.length, total_count];
      for (const notice of records) {
        seen.add(notice.id);
        const now = toKnown(notice, timelineState);
        const before = known.get(now.noticeId);
        // An undated notice may have changed.
        const isDated = now.updatedAt !== "";
        if (isDated && before?.updatedAt === now.updatedAt && before.timelineState === now.timelineState)
          continue;
        lines.push(JSON.stringify(notice));
        changed.push(now);
        if (before?.timelineState !== timelineState) knownCount += 1;
      }
      if (timelineState === "past_distant" && isAsKnown && total === knownCount + countInvalid()) {
        listed = total - countInvalid();
        isCutShort = true;
        break;
      }
    }
    const lacking = findIncompleteReason(`${timelineState} notices`, listed + countInvalid(), total);
    missing.push(...lacking);
    if (!isCutShort && lacking.length === 0 && countInvalid() === 0) whole.add(timelineState);
  }
  if (seen.size === 0) invalidRecords.refuse();
  // Deletes notices that the service removed. Otherwise, the number of known notices would never equal the
  // total.
  const removed = [...known.values()].filter(
    (notice) => whole.has(notice.timelineState) && !seen.has(notice.noticeId),
  );
  return await land("notices", { lines, invalidRecords, date, missing }, context, () => {
    state.knownNotices.remember(url, changed, removed);
  });
}

/** @param askedFor requested state, used for a notice without a state */
function toKnown({ id, updated_at, timeline_state }: Notice, askedFor: string): KnownNotice {
  return { noticeId: id, updatedAt: updated_at ?? "", timelineState: timeline_state ?? askedFor };
}

/** Returns the reason why the listing is incomplete, if its pages contain fewer records than the total. */
function findIncompleteReason(what: string, listed: number, total: number): string[] {
  return listed < total ? [`the status API counts ${total} ${what} but lists ${listed}`] : [];
}

/** Date of a listing. A listing with several pages is as old as its oldest page. */
class ListingDate {
  requestedAt: Date;
  readonly onProduced: NonNullable<ReadInput["onProduced"]>;

  constructor(source: StatusListing, { clock, state }: StatusContext) {
    this.requestedAt = clock.now();
    this.onProduced = (production) => {
      const at = state.landings.observedAt({ source }, production);
      if (at < this.requestedAt) this.requestedAt = at;
    };
  }
}

interface StatusLines {
  lines: readonly string[];
  invalidRecords: InvalidRecords;
  date: ListingDate;
  /** Reasons why there may be more notices or components; empty if the listing is complete. */
  missing: readonly string[];
}

async function land(
  source: StatusListing,
  { lines, invalidRecords, date, missing }: StatusLines,
  { folder, state, collectionId }: StatusContext,
  also?: () => void,
): Promise<CollectResult> {
  const landingId = createLandingId();
  const path = join(folder.landing, `status-${source}-${landingId}.jsonl`);
  const text = [...lines, ...invalidRecords.lines].map((line) => `${line}\n`).join("");
  await writeFile(`${path}.part`, text, { flush: true });
  await rename(`${path}.part`, path);
  const landing: Landing = {
    source,
    landingId,
    requestedAt: date.requestedAt,
    path: folder.relativePath(path),
    bytes: (await stat(path)).size,
    isComplete: missing.length === 0,
  };
  state.landings.add(collectionId, landing, also);
  const note = invalidRecords.describe();
  return {
    landing,
    ...(missing.length > 0 ? { why: [...missing, ...note].join("; ") } : note[0] ? { note: note[0] } : {}),
  };
}
