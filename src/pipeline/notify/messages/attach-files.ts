import { ownFolderOf } from "../../../config/data-folder.ts";
import { loadFormatter } from "../../../report/format/load-formatter.ts";
import type { PublishedMart } from "../../../report/published/published-mart.ts";
import { runReport } from "../../../report/run-report.ts";
import { formatSize } from "../../../report/text/readable-text.ts";
import { getErrorMessage } from "../../../util/venue-error.ts";
import { forEachRule, type ReadOnlyWorkspace } from "../rules/for-each-rule.ts";
import { type Rule, readRules } from "../rules/read-rules.ts";
import type { Content, Digest } from "./digest.ts";

export interface Attachment {
  fileName: string;
  /** Media type. */
  type: string;
  content: Uint8Array;
}

const types = {
  csv: "text/csv; charset=utf-8",
  html: "text/html; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
} as const;

/** All files of a mail. Many mail servers refuse mail above 10 MB, and encoding makes files a third larger. */
const maxBytes = 7_000_000;

/**
 * Returns a function that makes the files of a mail when it is sent, from the version that is published then. A
 * message names the files that are missing; none is held up by them.
 */
export function createAttach(
  workspace: ReadOnlyWorkspace,
): (content: Content) => Promise<{ digest: Digest; attachments: Attachment[] }> {
  const made = new Map<string, Attachment | undefined>();
  return async ({ digest, attach }) => {
    await makeFiles(workspace, attach, made);
    const attachments: Attachment[] = [];
    const missing = new Map<string, string>();
    let bytes = 0;
    for (const rule of attach) {
      const attachment = made.get(rule);
      const size = attachment?.content.length ?? 0;
      if (attachment === undefined) missing.set(rule, "it can't be made now");
      else if (bytes + size > maxBytes)
        missing.set(rule, `the files of a mail can have ${formatSize(maxBytes)} together`);
      else {
        bytes += size;
        attachments.push(attachment);
      }
    }
    return { digest: noteMissing(digest, missing), attachments };
  };
}

/** @param missing reasons by rule */
export function noteMissing(digest: Digest, missing: ReadonlyMap<string, string>): Digest {
  const sections = digest.sections.map((section) => {
    const reason = missing.get(section.rule);
    const note = `The file was not attached: ${reason}.`;
    return reason === undefined ? section : { ...section, notes: [note, ...section.notes] };
  });
  return { ...digest, sections };
}

/** Adds the rules' files to those made before, which other recipients get as well. */
async function makeFiles(
  workspace: ReadOnlyWorkspace,
  names: readonly string[],
  made: Map<string, Attachment | undefined>,
): Promise<void> {
  const wanted = names.filter((name) => !made.has(name));
  if (wanted.length === 0) return;
  const { settings, logger, signal, folder, clock } = workspace;
  const warn = (error: unknown) => {
    signal.throwIfAborted();
    logger.warn(`A file of a notification can't be made: ${getErrorMessage(error)}`);
  };
  for (const name of wanted) made.set(name, undefined);
  try {
    const { rules } = await readRules(ownFolderOf(settings));
    const chosen = rules.filter(({ name }) => wanted.includes(name));
    await forEachRule(workspace, chosen, async (rule, mart) => {
      const options = { now: clock.now(), tempDir: folder.temp };
      await makeFile(mart, rule, options).then((file) => made.set(rule.name, file), warn);
    });
  } catch (error) {
    warn(error);
  }
}

/** Makes a file of a rule's view with all rows, which ends soon after the limit. */
async function makeFile(
  mart: PublishedMart,
  { name, attach, request }: Rule,
  { now, tempDir }: { now: Date; tempDir: string },
): Promise<Attachment | undefined> {
  if (attach === undefined || request === undefined) return undefined;
  const report = await runReport(mart, { ...request, format: attach }, now);
  const format = await loadFormatter(attach);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of format(report, { tempDir })) {
    pieces.push(Buffer.from(piece));
    bytes += piece.length;
    if (bytes > maxBytes) break;
  }
  const fileName = `${name}-${now.toISOString().slice(0, 10)}.${attach}`;
  return { fileName, type: types[attach], content: Buffer.concat(pieces) };
}
