import { extname, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { ownFolderOf } from "../../../config/data-folder.ts";
import type { ProofWords } from "../../../report/proof/build-proof.ts";
import { collect, localPath } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { withVersion } from "../../results/print-report.ts";

interface ProofFlags extends ProofWords {
  out: string;
  asOf?: string;
}

export function define(command: Command, context: CliContext): void {
  command
    .option("--campaign <ids>", "the campaigns: ids or names, comma-separated", collect)
    .option("--where <name=values>", "campaigns with an attribute, e.g. advertiser=Acme", collect)
    .option("--kind <kinds>", "only these kinds: signage, messaging", collect)
    .option(
      "--from <date>",
      "first local date, inclusive, or yesterday, 7d, 2026-W47, 2026-10, 2026-Q4 (default: the last 28 days with complete data)",
    )
    .option("--to <date>", "last local date, inclusive, or yesterday, 2026-W47, 2026-10, 2026-Q4")
    .option("--as-of <version>", "an earlier version, e.g. v000007")
    .requiredOption("--out <file>", "the document: FILE.html or FILE.xlsx", proofPath)
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
      const request = parseProofOptions(words);
      const brand = readBrand(ownFolderOf(context.settings));
      const file = resolve(context.io.workingFolder, out);
      await withVersion(context, { asOf }, async (mart) => {
        const claim = await writeProof(file, await buildProof(mart, request, brand, context.clock().now()));
        context.printResult({ file, claim }, `${claim}\nWritten to ${file}`);
      });
    });
}

function proofPath(text: string): string {
  const path = localPath(text);
  if (/^\.(html|xlsx)$/.test(extname(path))) return path;
  throw new InvalidArgumentError("It takes a file that ends in .html or .xlsx.");
}
