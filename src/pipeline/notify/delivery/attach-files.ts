import { customFolderOf } from "../../../config/data-folder.ts";
import { loadFormatter } from "../../../report/format/load-formatter.ts";
import type { PublishedMart } from "../../../report/published/published-mart.ts";
import { runReport } from "../../../report/run-report.ts";
import { formatSize } from "../../../report/text/readable-text.ts";
import { getErrorMessage } from "../../../util/venue-error.ts";
import type { Digest } from "../compose-digest.ts";
import { forEachRule, type ReadOnlyWorkspace } from "../rules/evaluate-rules.ts";
import { type Rule, readRules } from "../rules/read-rules.ts";

export interface Attachment {
  rule: string;
  filename: string;
  content: Buffer;
}

/** Limit for all files of a mail. Many mail servers reject mail above 10 MB, and encoding adds a third. */
const maxBytes = 7_000_000;

/**
 * Returns a function that creates the files of a mail when it is sent, from the version that is published then.
 * Missing files do not delay a message. The message lists them.
 */
export function createAttach(
  workspace: ReadOnlyWorkspace,
): (digest: Digest) => Promise<{ digest: Digest; attachments: Attachment[] }> {
  const { settings, logger, signal } = workspace;
  /** Files by rule, because several recipients get the same file. */
  const made = new Map<string, Attachment>();
  const warn = (error: unknown) => {
    signal.throwIfAborted();
    logger.warn(`A file of a notification can't be created: ${getErrorMessage(error)}`);
  };
  return async (digest) => {
    const rules = await readRules(customFolderOf(settings)).then((file) => file.rules, warn);
    const wanted = (rules ?? []).filter(
      ({ name, attach }) => attach && digest.sections.some((section) => section.rule === name),
    );
    const making = wanted.filter(({ name }) => !made.has(name));
    await forEachRule(workspace, making, async (rule, mart) => {
      await makeFile(mart, rule, workspace).then((file) => made.set(rule.name, file), warn);
    }).catch(warn);
    let bytes = 0;
    const attachments = wanted.flatMap(({ name }) => {
      const file = made.get(name);
      if (file === undefined || bytes + file.content.length > maxBytes) return [];
      bytes += file.content.length;
      return file;
    });
    const names = wanted.map(({ name }) => name);
    const missing = names.filter((name) => !attachments.some(({ rule }) => rule === name));
    const reason = `can't be created now, or are more than ${formatSize(maxBytes)} in total`;
    return { digest: noteMissing(digest, missing, reason), attachments };
  };
}

/** @param missing rules whose files are not attached */
export function noteMissing(digest: Digest, missing: readonly string[], reason: string): Digest {
  const note = `Files that ${reason} were not attached: ${missing.join(", ")}.`;
  return missing.length === 0 ? digest : { ...digest, age: `${digest.age} ${note}` };
}

/** Creates a file with all rows of a rule's view. Stops soon after the size limit. */
async function makeFile(
  mart: PublishedMart,
  { name, attach = "csv", request }: Rule,
  { clock, folder }: ReadOnlyWorkspace,
): Promise<Attachment> {
  if (request === undefined) throw new Error("the overview has no file");
  const now = clock.now();
  const report = await runReport(mart, { ...request, format: attach }, now);
  const format = await loadFormatter(attach);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of format(report, { tempDir: folder.temp })) {
    pieces.push(Buffer.from(piece));
    bytes += piece.length;
    if (bytes > maxBytes) break;
  }
  const filename = `${name}-${now.toISOString().slice(0, 10)}.${attach}`;
  return { rule: name, filename, content: Buffer.concat(pieces) };
}
