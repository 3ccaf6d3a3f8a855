import { resolve } from "node:path";
import type { Command } from "commander";
import type { AttributeFileName } from "../../../load/reference/attribute-file.ts";
import { countOf } from "../../../util/text/words.ts";
import { localPath, oneOf } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";

const checkExample = "\nExample:\n  $ venue reference check\n";
const templateExample =
  "\nExample:\n  $ venue reference template zone_attributes --out data/reference/zone_attributes.xlsx\n";

export function define(command: Command, context: CliContext): void {
  command.addHelpText("after", checkExample);
  command
    .command("check")
    .description("list invalid lines with reasons, and lines that look wrong")
    .addHelpText("after", checkExample)
    .action(() => check(context));
  command
    .command("template")
    .description("write an attribute file that lists everything published, ready to fill in")
    .argument(
      "<name>",
      "zone_attributes, location_attributes, campaign_attributes or item_attributes",
      oneOf("zone_attributes", "location_attributes", "campaign_attributes", "item_attributes"),
    )
    .option("--out <file>", "write to a .csv or .xlsx file instead of stdout", localPath)
    .addHelpText("after", templateExample)
    .action(async (file: string, { out }: { out?: string }) => {
      const { writeTemplate } = await import("../../../pipeline/reference/reference-template.ts");
      const name = `${file}.csv` as AttributeFileName;
      const target = out === undefined ? undefined : resolve(context.io.workingFolder, out);
      const made = await writeTemplate(context.settings, context.signal, { name, out: target });
      if ("text" in made) return context.print(made.text);
      const { isRead, expectedIn, replaced } = made;
      const next =
        replaced === undefined
          ? "Fill it in, then run `venue build`."
          : `Remove ${replaced}, which it replaces. Fill in the new file, then run \`venue build\`.`;
      context.logger.info(`Wrote ${out}.${isRead ? ` ${next}` : ""}`);
      if (expectedIn !== undefined)
        context.logger.warn(`${out} is not in ${expectedIn}, so builds will not read it. Move it there.`);
    });
}

async function check(context: CliContext): Promise<void> {
  const { checkReferenceFiles } = await import("../../../pipeline/reference/check-reference.ts");
  const findings = await checkReferenceFiles(context.settings);
  const { files, unread } = findings;
  const mistakes = files.flatMap((file) => file.mistakes.map(({ message }) => `FAIL  ${message}`));
  const warnings = [...files.flatMap((file) => file.warnings), ...unread].map(
    ({ message }) => `WARN  ${message}`,
  );
  const usable = files.filter((file) => file.mistakes.length === 0);
  const lines = usable.map(({ path, separator, lines: count }) => {
    if (count === 0) return `ok    ${path} has no entries yet`;
    const form = separator === null ? "" : ` with ${separator}s between values`;
    return `ok    ${path}: ${countOf(count, "line")}${form}`;
  });
  if (mistakes.length > 0) context.exitCode = exitCodes.usage;
  context.printResult(findings, [...lines, ...warnings, ...mistakes].join("\n"));
}
