import { loadFormatter } from "../../../report/formats.ts";
import type { PublishedMart } from "../../../report/published/published-mart.ts";
import { runReport } from "../../../report/run-report.ts";
import { formatSize } from "../../../report/text/readable-text.ts";
import type { Rule } from "../rules/read-rules.ts";
import type { Attachment } from "./digest.ts";

const types = {
  csv: "text/csv; charset=utf-8",
  html: "text/html; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
} as const;

/** Many mail servers refuse messages above 10 MB, and encoding makes attachments a third larger. */
const maxBytes = 5_000_000;

/** Creates a rule's attachment: its view with all rows. @returns a note instead if the file is too large */
export async function attachView(
  mart: PublishedMart,
  { name, attach, request }: Pick<Rule, "name" | "attach" | "request">,
  { now, tempDir }: { now: Date; tempDir: string },
): Promise<{ attachment?: Attachment; note?: string }> {
  if (attach === undefined || request === undefined) return {};
  const report = await runReport(mart, { ...request, format: attach }, now);
  const format = await loadFormatter(attach);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of format(report, { tempDir })) {
    const content = Buffer.from(piece);
    bytes += content.length;
    if (bytes > maxBytes)
      return { note: `The file was not attached: it has more than ${formatSize(maxBytes)}.` };
    pieces.push(content);
  }
  const fileName = `${name}-${now.toISOString().slice(0, 10)}.${attach}`;
  return { attachment: { fileName, type: types[attach], content: Buffer.concat(pieces) } };
}
