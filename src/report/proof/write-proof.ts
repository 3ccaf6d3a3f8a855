import type { KeyObject } from "node:crypto";
import { writeWholeFile } from "../format/write-report.ts";
import type { ProofDocument } from "./build-proof.ts";
import { describeProof } from "./describe-proof.ts";

/**
 * Writes a proof as a workbook to a file that ends in `.xlsx`, else as a page, and returns its claim.
 * @throws {VenueError} `OUTPUT` when the file can't be written
 */
export async function writeProof(file: string, document: ProofDocument, key: KeyObject): Promise<string> {
  await writeWholeFile(file, await formatProof(file, document, key));
  return (await describeProof(document)).claim;
}

/** Streams the signed content of a file that ends in `.xlsx` or `.html`. */
export async function formatProof(
  file: string,
  document: ProofDocument,
  key: KeyObject,
): Promise<AsyncIterable<string | Uint8Array>> {
  return file.endsWith(".xlsx")
    ? (await import("./proof-workbook.ts")).streamProofWorkbook(document, key)
    : (await import("./render-proof.ts")).renderProof(document, key);
}
