import { writeWholeFile } from "../format/write-report.ts";
import type { ProofDocument } from "./build-proof.ts";
import { claimProof } from "./proof-text.ts";
import { renderProofHtml } from "./render-proof.ts";
import { summarizeProof } from "./summarize-proof.ts";

/** Writes a proof to an `.html` or `.xlsx` file, and returns its claim. @throws {VenueError} `OUTPUT` when the file can't be written */
export async function writeProof(file: string, document: ProofDocument): Promise<string> {
  await writeWholeFile(file, renderProofHtml(document));
  return claimProof(document, summarizeProof(document));
}
