import { createPublicKey, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { proofKeyFileOf } from "../../config/data-folder.ts";
import { findProofKey } from "../../config/proof-key.ts";
import { type CheckedProof, checkProof } from "../../report/proof/check-proof.ts";
import { compareProof, type RowChange, type RowDifference } from "../../report/proof/compare-proof.ts";
import { readSmallFile } from "../../util/read-small-file.ts";
import { countOf } from "../../util/text/words.ts";
import { getErrorMessage, VenueError } from "../../util/venue-error.ts";
import type { CliContext } from "../cli-context.ts";
import { withVersion } from "./print-rows.ts";

interface VerifyResult {
  isEqual: boolean;
  text: string;
  summary: object;
}

/**
 * Checks a proof's signature with the given public key. Without one, uses the data folder's key and also compares rows.
 * @param keyName file or URL
 * @throws {VenueError} `PROOF_FILE` or `PROOF_KEY` if one of them can't be read
 */
export async function verifyProof(
  context: CliContext,
  name: string,
  keyName?: string,
): Promise<VerifyResult> {
  const file = resolve(context.io.workingFolder, name);
  const bytes = await readFile(file).catch((cause: unknown) => {
    const message = `${file} can't be read (${getErrorMessage(cause)}). Name a proof.`;
    throw new VenueError("PROOF_FILE", "usage", message, { cause });
  });
  const key = keyName === undefined ? readLocalKey(context) : await readKey(context, keyName);
  const { frame, ...checked } = checkProof(bytes, key);
  const verified = describeCheck(file, checked);
  if (frame === undefined || keyName !== undefined) return verified;
  let compared = verified;
  await withVersion(context, {}, async (mart) => {
    const { rows, differences } = await compareProof(mart, bytes, frame);
    compared = {
      isEqual: differences.length === 0,
      text: [`${verified.text}`, ...describeDifferences(mart.version, rows, differences)].join("\n"),
      summary: {
        ...verified.summary,
        version: frame.source.version,
        comparedWith: mart.version,
        rows,
        differences,
      },
    };
  });
  return compared;
}

function describeCheck(file: string, { finding, text, keyId }: CheckedProof): VerifyResult {
  const isEqual = finding === "signed";
  return {
    isEqual,
    text: isEqual ? `Signed by this key (${keyId}), unchanged: ${file}` : `${file} was not verified. ${text}`,
    summary: { finding, keyId: keyId ?? null, text },
  };
}

/** Maximum number of differences listed per kind. */
const maxListed = 20;

const headings: Readonly<Record<RowChange, string>> = {
  restated: "restated since then",
  settled: "settled, collected or delivered since then",
  renamed: "with other names or addresses now",
};

function describeDifferences(version: string, rows: number, differences: readonly RowDifference[]): string[] {
  if (differences.length === 0) return [`Equal: all ${countOf(rows, "row")} are as in ${version}.`];
  return [
    `Restated: rows differ from ${version}.`,
    ...(Object.keys(headings) as RowChange[]).flatMap((change) => {
      const found = differences.filter((one) => one.change === change);
      if (found.length === 0) return [];
      return [
        `${countOf(found.length, "row")} ${headings[change]}:`,
        ...found.slice(0, maxListed).map((one) => `  ${describeRow(one)}`),
        ...(found.length > maxListed ? [`  and ${found.length - maxListed} more`] : []),
      ];
    }),
  ];
}

function describeRow({ table, before, now, columns }: RowDifference): string {
  const row = before ?? now ?? {};
  const subject = [
    row.date ?? row.started_at ?? row.month,
    row.zone_name && `${row.zone_name} (${row.zone_id})`,
    row.campaign_name && `${row.campaign_name} (${row.kind} ${row.campaign_id})`,
    row.item_name && `${row.item_name} (${row.item_id})`,
  ].filter(Boolean);
  const cells =
    before && now
      ? columns.map((column) => `${column} ${before[column] || "blank"} → ${now[column] || "blank"}`)
      : [before ? "row → none" : "none → row"];
  return `${table}: ${subject.join(" · ")}: ${cells.join(", ")}`;
}

function readLocalKey({ settings }: CliContext): KeyObject {
  const file = proofKeyFileOf(settings);
  const key = findProofKey(file);
  if (key) return key;
  throw keyError(
    `${file} doesn't exist: no proof was made in this data folder, or its key was not restored. Specify the public key of the proof's maker: --key FILE.`,
  );
}

async function readKey({ io, signal }: CliContext, name: string): Promise<KeyObject> {
  const from = /^https?:\/\//i.test(name) ? new URL(name) : resolve(io.workingFolder, name);
  const content = await readSmallFile(from, signal).catch((cause: unknown) => {
    throw keyError(`The key can't be read from ${from}: ${getErrorMessage(cause)}.`, { cause });
  });
  try {
    const key = createPublicKey(content);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // The error below explains why the key is rejected.
  }
  throw keyError(`${from} is not a public Ed25519 key (PEM). Specify the output of \`venue proof key\`.`);
}

function keyError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("PROOF_KEY", "usage", message, options);
}
