import { claimProof } from "../../report/proof/proof-text.ts";
import type { ReadProof } from "../../report/proof/read-proof.ts";
import { summarizeProof } from "../../report/proof/summarize-proof.ts";
import type { Recomputed, RowChange } from "../../report/proof/verify-proof.ts";
import { countOf } from "../../util/text/words.ts";

/** Most differences listed of each kind. */
const maxListed = 20;

const headings: Readonly<Record<RowChange, string>> = {
  restated: "restated since then",
  settled: "settled or collected since then",
  renamed: "with other names or addresses now",
  other: "different for other reasons",
};

/** Describes the check of a proof's file and its rows. Anything but full equality is a finding. */
export async function describeVerified(
  { document, hasRowHash, firstDifference, isOtherProgram }: ReadProof,
  { version, isNamed, otherDatabase, otherAge, rows, differences }: Recomputed,
  isSameBrand: boolean,
): Promise<{ isEqual: boolean; text: string; summary: object }> {
  const { source, program } = document;
  const file = describeFile();
  const isEqual =
    hasRowHash && firstDifference === undefined && otherDatabase === undefined && differences.length === 0;
  const groups = (Object.keys(headings) as RowChange[]).flatMap((change) => {
    const found = differences.filter((one) => one.change === change);
    if (found.length === 0) return [];
    const heading = isNamed ? `different from ${version}` : headings[change];
    return [
      `${countOf(found.length, "row")} ${heading}:`,
      ...found
        .slice(0, maxListed)
        .map(({ table, subject, changes }) => `  ${table}: ${subject}: ${changes.join(", ")}`),
      ...(found.length > maxListed ? [`  and ${found.length - maxListed} more`] : []),
    ];
  });
  const from = isNamed
    ? `Recomputed from ${version}, the version that it names.`
    : `Recomputed from ${version}, because ${source.version} is not available.`;
  const lines = [
    isEqual ? "Equal: the proof agrees with the published data." : "Not equal.",
    ...file,
    from,
    ...(otherDatabase === undefined
      ? []
      : [`The proof was not made from this database, or was changed: ${otherDatabase}.`]),
    ...(otherAge === undefined
      ? []
      : [`The stated age of the data differs, as in a proof that a share downloaded: ${otherAge}.`]),
    ...(differences.length === 0 ? [`All ${countOf(rows, "row")} are equal.`] : groups),
    isSameBrand
      ? "The letterhead is that of own/brand."
      : "The letterhead differs from that of own/brand now.",
    `Its rows state: ${claimProof(document, await summarizeProof(document))}`,
  ];
  return {
    isEqual,
    text: lines.join("\n"),
    summary: {
      isEqual,
      version: source.version,
      recomputedFrom: version,
      hasRowHash,
      firstDifference: firstDifference ?? null,
      isOtherProgram,
      otherDatabase: otherDatabase ?? null,
      otherAge: otherAge ?? null,
      isSameBrand,
      rows,
      differences,
    },
  };

  function describeFile(): string[] {
    if (!hasRowHash) return ["Its rows were changed: they do not match the SHA-256 that it states."];
    if (firstDifference === undefined)
      return ["Its rows match their SHA-256, and its figures and texts match its rows."];
    const where = `First difference: ${firstDifference}.`;
    return isOtherProgram
      ? [
          `Its rows match their SHA-256. Version ${program} of the program wrote it, so this version cannot judge its figures and texts. ${where}`,
        ]
      : [`Its rows match their SHA-256, but the rest of the file was changed. ${where}`];
  }
}
