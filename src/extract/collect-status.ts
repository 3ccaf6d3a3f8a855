import { rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eachStatusRecord } from "../api/each-record.ts";
import type { Notice } from "../api/records/notice.ts";
import type { StatusClient } from "../api/status-client.ts";
import { createLandingId, type Landing } from "../state/landings.ts";
import type { KnownNotice } from "../state/status-notices.ts";
import type { ExtractContext } from "./extract-context.ts";

/** The status API: it has a budget of its own. */
export interface StatusSource {
  client: StatusClient;
  /** Root: what is known is kept apart by it. */
  url: string;
}

type StatusContext = Pick<
  ExtractContext,
  "folder" | "state" | "clock" | "signal" | "stopping" | "collectionId" | "progress"
>;

/** All components as they are now, one a line. */
export async function collectComponents({ client }: StatusSource, context: StatusContext): Promise<Landing> {
  const requestedAt = context.clock.now();
  const lines: string[] = [];
  const pages = (page: number | undefined) => {
    context.stopping.throwIfAborted();
    return client.componentsPage({ page, signal: context.signal });
  };
  for await (const component of eachStatusRecord(pages)) lines.push(JSON.stringify(component));
  return await land("components", lines, requestedAt, context);
}

/**
 * Notices that are new or changed since they landed last, one a line, as listings have them: a request each for
 * their whole progress would cost more than all else. Those long past are looked through only where their number
 * changed.
 */
export async function collectNotices(
  { client, url }: StatusSource,
  context: StatusContext,
): Promise<Landing> {
  const { state, clock } = context;
  const requestedAt = clock.now();
  const known = state.statusNotices.known(url);
  const changed: KnownNotice[] = [];
  const lines: string[] = [];
  for (const timelineState of ["present", "future", "past_recent", "past_distant"] as const) {
    for await (const notice of listNotices(client, timelineState, known, context)) {
      const now = toKnown(notice);
      const before = known.get(now.noticeId);
      if (before?.updatedAt === now.updatedAt && before.timelineState === now.timelineState) continue;
      lines.push(JSON.stringify(notice));
      changed.push(now);
    }
  }
  return await land("notices", lines, requestedAt, context, () => state.statusNotices.remember(url, changed));
}

async function* listNotices(
  client: StatusClient,
  timelineState: "future" | "present" | "past_recent" | "past_distant",
  known: ReadonlyMap<number, KnownNotice>,
  { signal, stopping }: StatusContext,
): AsyncGenerator<Notice> {
  const knownCount = [...known.values()].filter((notice) => notice.timelineState === timelineState).length;
  for (let page: number | undefined, isFirst = true; isFirst || page !== undefined; isFirst = false) {
    stopping.throwIfAborted();
    const list = await client.noticesPage({ timelineState, page, signal });
    yield* list.records;
    const isAsKnown = list.records.every(
      ({ id, updated_at }) => known.get(id)?.updatedAt === (updated_at ?? ""),
    );
    if (timelineState === "past_distant" && isAsKnown && list.total_count === knownCount) return;
    page = list.next;
  }
}

function toKnown({ id, updated_at, timeline_state }: Notice): KnownNotice {
  return { noticeId: id, updatedAt: updated_at ?? "", timelineState: timeline_state };
}

async function land(
  source: "notices" | "components",
  lines: readonly string[],
  requestedAt: Date,
  { folder, state, collectionId }: StatusContext,
  also?: () => void,
): Promise<Landing> {
  const landingId = createLandingId();
  const path = join(folder.landing, `status-${source}-${landingId}.jsonl`);
  await writeFile(`${path}.part`, lines.map((line) => `${line}\n`).join(""), { flush: true });
  await rename(`${path}.part`, path);
  const landing: Landing = {
    source,
    landingId,
    requestedAt,
    path: folder.relativePath(path),
    bytes: (await stat(path)).size,
    isComplete: true,
  };
  state.landings.add(collectionId, landing, also);
  return landing;
}
