import { extname, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { customFolderOf, proofKeyFileOf } from "../../../config/data-folder.ts";
import { ReportOptionError } from "../../../report/options/option-error.ts";
import { periodExamples } from "../../../report/options/period-option.ts";
import type { TypedProofOptions } from "../../../report/proof/build-proof.ts";
import { collect, localPath } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";
import { withVersion } from "../../results/print-rows.ts";

interface ProofFlags extends TypedProofOptions {
  out?: string;
  asOf?: string;
}

export function define(command: Command, context: CliContext): void {
  command
    .option("--uptime", "prove the availability of zones instead of plays")
    .option("--agreed <ratio>", "with --uptime: agreed availability in each month, e.g. 99.5%")
    .option("--measure <name>", "with --uptime: open_availability or availability_without_planned")
    .option("--group <ids>", "with --uptime: only this group, an id or name", collect)
    .option("--location <ids>", "with --uptime: only this location, an id, a name or a city", collect)
    .option("--zone <ids>", "with --uptime: only this zone, an id or name", collect)
    .option("--campaign <ids>", "the campaigns: ids or names, comma-separated", collect)
    .option("--where <name=values>", "campaigns, or zones, with an attribute, e.g. advertiser=Acme", collect)
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
      `
The document is signed. Give its readers the public key, so that they can check
that it is yours, and unchanged. The letterhead comes from own/brand: logo.svg
and about.md.

Examples:
  $ venue proof --campaign 13 --from 2026-10 --out late-night.html
  $ venue proof --where advertiser=Acme --from 2026-10 --out acme.xlsx
  $ venue proof --uptime --where region=North --agreed 99.5% --out north.html
  $ venue proof key > key.pem
  $ venue proof verify late-night.html --key key.pem
`,
    )
    .action(async ({ out, asOf, ...words }: ProofFlags) => {
      const { buildProof, parseProofOptions } = await import("../../../report/proof/build-proof.ts");
      const { readBrand } = await import("../../../report/proof/brand.ts");
      const { writeProof } = await import("../../../report/proof/write-proof.ts");
      const { obtainProofKey } = await import("../../../config/proof-key.ts");
      if (out === undefined) {
        throw new ReportOptionError("--out", "A proof needs --out with a file that ends in .html or .xlsx.");
      }
      const request = parseProofOptions(words);
      const brand = readBrand(customFolderOf(context.settings));
      const file = resolve(context.io.workingFolder, out);
      await withVersion(context, { asOf }, async (mart) => {
        const document = await buildProof(mart, request, brand, context.clock().now());
        const claim = await writeProof(file, document, obtainProofKey(proofKeyFileOf(context.settings)));
        context.printResult({ file, claim }, `${claim}\nWritten to ${file}`);
      });
    });
  command
    .command("key")
    .description("print the public key for verifying proofs; creates the key pair on first use")
    .addHelpText(
      "after",
      `
The private key is in the data folder. \`venue serve\` shows the public key at
/proof-key.pem to everyone.

Example:
  $ venue proof key > key.pem
`,
    )
    .action(async () => {
      const { obtainProofKey } = await import("../../../config/proof-key.ts");
      const { exportPublicKey, identifyKey } = await import("../../../util/signed-text.ts");
      // Fails without published data: the folder is probably the wrong one, and its key would verify no proof.
      await withVersion(context, {}, async () => {
        const key = obtainProofKey(proofKeyFileOf(context.settings));
        const pem = exportPublicKey(key, "pem").toString();
        context.printResult({ keyId: identifyKey(key), publicKey: pem }, pem.trimEnd());
      });
    });
  command
    .command("verify")
    .description("check that a proof is signed and unchanged, and compare it with today's data")
    .argument("<file>", "a document written by venue proof", localPath)
    .option("--key <key>", "only check the signature, with a public key: a file or an http(s) URL", keyPlace)
    .addHelpText(
      "after",
      `
With --key, no data is needed, so readers can check what they received. Without
it, the data folder's key is used, and the rows are compared with its latest
version. The exit code is 1 if the signature doesn't match, or rows differ.

Examples:
  $ venue proof verify late-night.html
  $ venue proof verify late-night.html --key https://venue.example.com/proof-key.pem
`,
    )
    .action(async (file: string, { key }: { key?: string }) => {
      const { verifyProof } = await import("../../results/verify-proof.ts");
      const { isEqual, text, summary } = await verifyProof(context, file, key);
      context.printResult(summary, text);
      if (!isEqual) context.exitCode = exitCodes.finding;
    });
  refuseOptions(command);
}

/** Makes subcommands reject options of `venue proof`, which would have no effect. */
function refuseOptions(command: Command): void {
  for (const subcommand of command.commands) {
    subcommand.hook("preAction", () => {
      const [option] = command.options.filter(
        (one) => command.getOptionValueSource(one.attributeName()) === "cli",
      );
      if (option?.long)
        throw new ReportOptionError(
          option.long,
          `venue proof ${subcommand.name()} does not take ${option.long}.`,
        );
    });
  }
}

function keyPlace(text: string): string {
  if (!/^https?:/i.test(text)) return localPath(text);
  if (URL.canParse(text)) return text;
  throw new InvalidArgumentError("It is not a URL.");
}

function proofPath(text: string): string {
  const path = localPath(text);
  if (/^\.(html|xlsx)$/.test(extname(path))) return path;
  throw new InvalidArgumentError("It takes a file that ends in .html or .xlsx.");
}
