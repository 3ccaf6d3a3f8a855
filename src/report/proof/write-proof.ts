import { writeWholeFile } from "../format/write-report.ts";
import type { Brand } from "./brand.ts";
import type { ProofDocument } from "./build-proof.ts";
import { claimProof } from "./proof-text.ts";
import { summarizeProof } from "./summarize-proof.ts";

/**
 * Writes a proof as a workbook to a file that ends in `.xlsx`, else as a page, and returns its claim.
 * @throws {VenueError} `OUTPUT` when the file can't be written
 */
export async function writeProof(file: string, document: ProofDocument): Promise<string> {
  await writeWholeFile(file, await formatProof(file, document));
  return claimProof(document, await summarizeProof(document));
}

/** Streams the content of a file that ends in `.xlsx` or `.html`. */
export async function formatProof(
  file: string,
  document: ProofDocument,
): Promise<AsyncIterable<string | Uint8Array>> {
  if (!file.endsWith(".xlsx")) return (await import("./render-proof.ts")).renderProofPieces(document);
  const { streamProofWorkbook } = await import("./proof-workbook.ts");
  return streamProofWorkbook({ ...document, brand: toWorkbookBrand(document.brand) });
}

/** Returns what a workbook shows of a brand: its texts. */
export function toWorkbookBrand({ about }: Brand): Brand {
  return about === undefined ? {} : { about };
}
