import { join } from "node:path";
import type { ExportJob, PreviousExport } from "../../state/data/export-jobs.ts";
import type { Landing } from "../../state/data/landings.ts";
import { contentBytes } from "../download/part-file.ts";
import type { ExtractContext } from "../extract-context.ts";
import type { CollectResult } from "../extract-order.ts";

/** Records the downloaded file of a job as a landing. */
export async function landExport(job: ExportJob, context: ExtractContext): Promise<CollectResult> {
  const { folder, state, collectionId } = context;
  const path = exportPath(job, context);
  const source = { source: "export", kind: job.kind, groupId: job.group_id } as const;
  const bytes = await contentBytes(path);
  const repeated = findRepeated(job, bytes, context);
  const why = findIncompleteReason(bytes, state.landings.lastBytes(source), repeated);
  const landing: Landing = {
    ...source,
    landingId: job.landing_id,
    requestedAt: new Date(repeated?.requested_at ?? job.requested_at),
    path: folder.relativePath(path),
    bytes,
    isComplete: why === undefined,
  };
  state.landings.add(collectionId, landing, () => state.exportJobs.markLanded(job.id));
  if (why !== undefined) return { landing, why };
  return { landing, ...(repeated ? { note: describeRepeated(repeated) } : {}) };
}

export function exportPath(job: ExportJob, { folder }: ExtractContext): string {
  return join(folder.landing, `${job.kind}-group-${job.group_id}-export-${job.landing_id}.jsonl`);
}

/**
 * Returns the earlier export that this job repeats, with the same job id and size. The job's history then ends
 * at the earlier request.
 */
function findRepeated(job: ExportJob, bytes: number, { state }: ExtractContext): PreviousExport | undefined {
  const given = state.exportJobs.findPrevious(job.id);
  return bytes > 0 && given?.bytes === bytes ? given : undefined;
}

function describeRepeated({ requested_at }: PreviousExport): string {
  return `the service returned the export of ${requested_at} again`;
}

/**
 * Returns the reason why a file is treated as incomplete. An empty file after a non-empty one is accepted only
 * if the next file is empty too. A repeated export is never accepted if a later export exists.
 */
function findIncompleteReason(
  bytes: number,
  lastBytes: number | undefined,
  repeated: PreviousExport | undefined,
): string | undefined {
  if (repeated && repeated.later > 0)
    return `${describeRepeated(repeated)}, which is older than the latest one`;
  if (bytes > 0 || !lastBytes) return undefined;
  return `its export is empty (the previous one had ${lastBytes} bytes)`;
}
