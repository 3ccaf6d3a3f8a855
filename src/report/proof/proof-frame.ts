import { z } from "zod";
import { attributeSubjects } from "../../mart/attribute.ts";
import { versionForm } from "../../mart/published-versions.ts";
import { kinds } from "../../util/kind.ts";
import { isLocalDate } from "../../util/local-date.ts";
import type { ProofDocument } from "./build-proof.ts";
import { proofFileError } from "./proof-tables.ts";

/** Everything that a proof shows other than its rows and its logo, as a file stores it. */
export type ProofFrame = Omit<ProofDocument, "rows">;

const instant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  .nullable();
const date = z.string().refine(isLocalDate);

const frameForm = z.strictObject({
  scope: z.strictObject({
    campaignKeys: z.array(z.int().nonnegative()),
    kinds: z.array(z.enum(kinds)),
    attributes: z
      .array(
        z.strictObject({ subject: z.enum(attributeSubjects), name: z.string(), values: z.array(z.string()) }),
      )
      .max(3),
    period: z.strictObject({ from: date, to: date }),
  }),
  source: z.strictObject({
    version: z.string().regex(versionForm),
    builtAt: instant,
    dataAsOf: instant,
    completeFrom: date.nullable(),
    completeTo: date.nullable(),
    missingSources: z.string().nullable(),
    slotMinutes: z.number(),
  }),
  program: z.string(),
  brand: z.strictObject({ css: z.string().optional(), about: z.string().optional() }),
});

/** Encodes a frame with its fields in a fixed order. */
export function encodeProofFrame({ scope, source, program, brand: { css, about } }: ProofFrame): string {
  const frame = frameForm.parse({ scope, source, program, brand: { css, about } });
  return Buffer.from(JSON.stringify(frame)).toString("base64");
}

/** @throws {VenueError} `PROOF_FILE` */
export function decodeProofFrame(text: string): ProofFrame {
  try {
    return frameForm.parse(JSON.parse(Buffer.from(text, "base64").toString("utf8"))) as ProofFrame;
  } catch (cause) {
    throw proofFileError("its parameters are damaged", { cause });
  }
}
