import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { ownFolderOf } from "../../../config/data-folder.ts";
import { periodExamples } from "../../../report/options/period-option.ts";
import { ReportOptionError } from "../../../report/options/report-option-error.ts";
import type { ProofWords } from "../../../report/proof/build-proof.ts";
import type { ReadProof } from "../../../report/proof/read-proof.ts";
import { getErrorMessage, VenueError } from "../../../util/venue-error.ts";
import { collect, localPath } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";
import { withVersion } from "../../results/print-report.ts";

interface ProofFlags extends ProofWords {
  out?: string;
  asOf?: string;
}

export function define(command: Command, context: CliContext): void {
  command
    .option("--campaign <ids>", "the campaigns: ids or names, comma-separated", collect)
    .option("--where <name=values>", "campaigns with an attribute, e.g. advertiser=Acme", collect)
    .option("--kind <kinds>", "only these kinds: signage, messaging", collect)
    .option(
      "--from <date>",
      `first local date, inclusive, or 7d, ${periodExamples} (default: the last 28 days with complete data)`,
    )
    .option("--to <date>", `last local date, inclusive, or ${periodExamples}`)
    .option("--as-of <version>", "an earlier version, e.g. v000007")
    .option("--out <file>", "the document: FILE.html or FILE.xlsx", proofPath)
    .addHelpText(
      "after",
      "\nThe logo and texts come from own/brand: logo.svg, brand.css, about.md.\n" +
        "\nExamples:\n  $ venue proof --campaign 13 --from 2026-10 --out late-night.html\n" +
        "  $ venue proof --where advertiser=Acme --from 2026-10 --out acme.xlsx\n" +
        "  $ venue proof verify late-night.html\n",
    )
    .action(async ({ out, asOf, ...words }: ProofFlags) => {
      const { buildProof, parseProofOptions } = await import("../../../report/proof/build-proof.ts");
      const { readBrand } = await import("../../../report/proof/brand.ts");
      const { writeProof } = await import("../../../report/proof/write-proof.ts");
      if (out === undefined) {
        throw new ReportOptionError("--out", "A proof needs --out with a file that ends in .html or .xlsx.");
      }
      const request = parseProofOptions(words);
      const brand = readBrand(ownFolderOf(context.settings));
      const file = resolve(context.io.workingFolder, out);
      await withVersion(context, { asOf }, async (mart) => {
        const claim = await writeProof(file, await buildProof(mart, request, brand, context.clock().now()));
        context.printResult({ file, claim }, `${claim}\nWritten to ${file}`);
      });
    });
  command
    .command("verify")
    .description("recompute a proof from the published data, and list what differs")
    .argument("<file>", "a document that venue proof wrote", localPath)
    .addHelpText(
      "after",
      `
The rows are recomputed from the version that the document names or, if that is
gone, from the newest. The exit code is 1 if anything differs.

Example:
  $ venue proof verify late-night.html
`,
    )
    .action((file: string) => verify(context, file));
}

async function verify(context: CliContext, name: string): Promise<void> {
  const { readProof } = await import("../../../report/proof/read-proof.ts");
  const { verifyProof } = await import("../../../report/proof/verify-proof.ts");
  const { describeVerified } = await import("../../results/describe-verified.ts");
  const { UnknownVersionError } = await import("../../../mart/errors.ts");
  const file = resolve(context.io.workingFolder, name);
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new VenueError(
      "PROOF_FILE",
      "usage",
      `${file} can't be read (${getErrorMessage(cause)}). Name a proof.`,
      { cause },
    );
  });
  const read = await readProof(bytes);
  const isSameBrand = await compareBrand(context, read);
  const compare = (asOf?: string) =>
    withVersion(context, { asOf }, async (mart) => {
      const { isEqual, text, summary } = await describeVerified(
        read,
        await verifyProof(mart, read.document),
        isSameBrand,
      );
      context.printResult(summary, text);
      if (!isEqual) context.exitCode = exitCodes.finding;
    });
  try {
    await compare(read.document.source.version);
  } catch (error) {
    if (!(error instanceof UnknownVersionError)) throw error;
    await compare();
  }
}

/** Returns true if a proof has the letterhead of the own folder. */
async function compareBrand({ settings }: CliContext, { document, format }: ReadProof): Promise<boolean> {
  const { hashBrand, readBrand } = await import("../../../report/proof/brand.ts");
  const { toWorkbookBrand } = await import("../../../report/proof/write-proof.ts");
  const own = readBrand(ownFolderOf(settings));
  return hashBrand(document.brand) === hashBrand(format === "xlsx" ? toWorkbookBrand(own) : own);
}

function proofPath(text: string): string {
  const path = localPath(text);
  if (/^\.(html|xlsx)$/.test(extname(path))) return path;
  throw new InvalidArgumentError("It takes a file that ends in .html or .xlsx.");
}
