import { Command } from "commander";
import type { Settings } from "../../config/settings.ts";
import { type Variable, variableNames, variables } from "../../config/variables.ts";
import { createLogger } from "../../util/logger.ts";
import type { CliContext } from "../cli-context.ts";
import { combineExitCodes, exitCodeOf } from "../exit-code.ts";
import { explainFailure } from "../explain-failure.ts";

export function doctorCommand(context: CliContext): Command {
  return new Command("doctor")
    .description("show all settings and where they come from; try each part")
    .addHelpText("after", "\nExample:\n  $ venue doctor --data-dir /srv/venue\n")
    .action(async () => {
      const { diagnose } = await import("../../pipeline/diagnose.ts");
      const lenient = context.readSettings({ isLenient: true });
      const settings = listSettings(lenient);
      const logger = createLogger({ write: (line) => context.io.stderr.write(line), format: "text" });
      const findings = (await diagnose(lenient, logger, context.signal)).map((finding) => {
        if ("detail" in finding) return { part: finding.part, ok: true, detail: finding.detail, exitCode: 0 };
        const error = explainFailure(finding.error);
        const detail = error instanceof Error ? error.message : String(error);
        return { part: finding.part, ok: false, detail, exitCode: exitCodeOf(error) };
      });
      context.exitCode = combineExitCodes(findings.map(({ exitCode }) => exitCode));
      const width = Math.max(...settings.map(({ name }) => name.length));
      const lines = [
        ...settings.map(
          ({ name, value, origin, problem }) =>
            `${name.padEnd(width)}  ${problem ?? value ?? "–"}  (${origin})`,
        ),
        "",
        ...findings.map(({ part, ok, detail }) => `${ok ? "ok  " : "FAIL"}  ${part}: ${detail}`),
      ];
      context.printResult(
        { settings, checks: findings.map(({ exitCode, ...check }) => check) },
        lines.join("\n"),
      );
    });
}

/** Each setting with its value, or what is wrong with it, and where it came from. */
function listSettings(settings: Settings) {
  return variableNames.map((name) => {
    const value = settings.find(name);
    const { isSecret } = variables[name] as Variable;
    return {
      name,
      value: value === undefined ? null : isSecret ? "********" : show(value),
      origin: settings.originOf(name),
      problem: settings.findProblem(name)?.message ?? null,
    };
  });
}

function show(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
