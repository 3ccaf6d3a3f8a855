import { createHash, type KeyObject } from "node:crypto";
import { findZipConflict, unzip, type ZipPart } from "../../util/files/zip-parts.ts";
import { findSignature, identifyKey } from "../../util/signed-text.ts";
import { getErrorMessage } from "../../util/venue-error.ts";
import type { ProofDocument } from "./build-proof.ts";
import { signaturePart } from "./proof-workbook.ts";

/**
 * Data that a proof's file stores for programs in addition to its rows. It is read only after the signature is
 * verified.
 */
export interface ProofFrame extends Pick<ProofDocument, "scope" | "source"> {
  /** Names of a workbook's other parts, in order, each with the SHA-256 of its content. */
  parts?: readonly (readonly [name: string, sha256: string])[];
}

type ProofFinding =
  | "signed"
  | "other_key"
  | "changed"
  | "saved_again"
  /** Written by version 0.2.0 or earlier, which did not sign proofs. */
  | "unsigned"
  | "not_a_proof";

export interface CheckedProof {
  finding: ProofFinding;
  /** The finding as a sentence. */
  text: string;
  /** Id of the key, according to the file. */
  keyId?: string;
  /** Present only if the proof is signed. */
  frame?: ProofFrame;
}

/** Limits that exceed every file written by `venue proof`. */
const limits = { parts: 200, bytes: 500_000_000 };

/** Checks that a file is a proof that the key signed, and that it was not changed since. */
export function checkProof(bytes: Buffer, key: KeyObject): CheckedProof {
  return bytes.toString("latin1", 0, 2) === "PK" ? checkWorkbook(bytes, key) : checkPage(bytes, key);
}

const framePattern = /<meta name="venue-signed-proof" content="([^"]*)">/;

function checkPage(bytes: Buffer, key: KeyObject): CheckedProof {
  const frame = framePattern.exec(bytes.toString("latin1"))?.[1];
  if (frame !== undefined) return checkSigned(bytes, key, frame, () => undefined);
  return bytes.includes('<meta name="venue-proof" ')
    ? unsigned
    : notProof("it is not a page of `venue proof`");
}

function checkWorkbook(bytes: Buffer, key: KeyObject): CheckedProof {
  let parts: ZipPart[];
  try {
    parts = unzip(bytes, limits);
  } catch (error) {
    return notProof(`it can't be unpacked (${getErrorMessage(error)})`);
  }
  const list = parts.find(({ name }) => name === signaturePart)?.content;
  if (list === undefined) return explainUnsigned(parts);
  const frame = /^<venue-proof>([^<]*)<\/venue-proof>\n/.exec(list.toString("latin1"))?.[1];
  if (frame === undefined) return changed("it has no list of its parts");
  return checkSigned(list, key, frame, ({ parts: named = [] }) => {
    return findZipConflict(bytes) ?? findDifferentPart(parts, [...named, [signaturePart, hash(list)]]);
  });
}

/** @param findChange returns what differs from a frame that the key has signed */
function checkSigned(
  signed: Buffer,
  key: KeyObject,
  frameText: string,
  findChange: (frame: ProofFrame) => string | undefined,
): CheckedProof {
  const signature = findSignature(signed);
  if (signature === undefined) return changed("its signature is missing or cut off");
  const { keyId } = signature;
  if (keyId !== identifyKey(key))
    return {
      finding: "other_key",
      keyId,
      text: `It refers to key ${keyId}, but this key is ${identifyKey(key)}.`,
    };
  if (!signature.isBy(key)) return changed("the signature does not match its content", keyId);
  const frame = JSON.parse(Buffer.from(frameText, "base64").toString("utf8")) as ProofFrame;
  const change = findChange(frame);
  if (change !== undefined) return changed(change, keyId);
  return {
    finding: "signed",
    keyId,
    frame,
    text: `It was signed with this key (${keyId}) and is unchanged.`,
  };
}

function findDifferentPart(
  parts: readonly ZipPart[],
  named: NonNullable<ProofFrame["parts"]>,
): string | undefined {
  const at = parts.findIndex(
    ({ name, content }, index) => `${name},${hash(content)}` !== String(named[index]),
  );
  if (at === -1 && parts.length === named.length) return undefined;
  return `the part ${parts.at(at)?.name} was changed, or another part is missing`;
}

function hash(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Classifies a workbook without a signature: spreadsheet programs drop unknown parts when they save. */
function explainUnsigned(parts: readonly ZipPart[]): CheckedProof {
  const has = (text: string) => parts.some(({ content }) => content.includes(text));
  if (has("SHA-256 of the rows")) return unsigned;
  if (!has("Signed with key") || !has("venue-analytics"))
    return notProof("it is not a workbook of `venue proof`");
  const facts = parts.find(({ name }) => name === "docProps/app.xml")?.content.toString();
  const program = /<Application>([^<]{1,60})/.exec(facts ?? "")?.[1] ?? "A spreadsheet program";
  return {
    finding: "saved_again",
    text: `${program} saved it again without its signature. Check the file as it was received.`,
  };
}

const unsigned: CheckedProof = {
  finding: "unsigned",
  text: "It has no signature: version 0.2.0 or before wrote it. Write a new one with `venue proof --campaign … --from … --to … --out FILE`, on the data of its campaigns.",
};

function changed(how: string, keyId?: string): CheckedProof {
  return { finding: "changed", text: `It was changed after signing: ${how}.`, ...(keyId && { keyId }) };
}

function notProof(why: string): CheckedProof {
  return { finding: "not_a_proof", text: `It is not a proof: ${why}.` };
}
