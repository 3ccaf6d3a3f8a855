import { existsSync } from "node:fs";
import type { Command } from "commander";
import { DataFolder } from "../../../config/data-folder.ts";
import type { Settings } from "../../../config/settings.ts";
import { type Variable, variableNames, variables } from "../../../config/variables.ts";
import type { Finding } from "../../../doctor/diagnose.ts";
import { createLogger } from "../../../util/logger.ts";
import { getErrorMessage } from "../../../util/venue-error.ts";
import type { CliContext } from "../../cli-context.ts";
import { explainFailure } from "../../describe-failure.ts";
import { combineExitCodes, exitCodes, getExitCode } from "../../exit-code.ts";
import { openWorkspace, withRun } from "../../run-recorded.ts";

export function define(command: Command, context: CliContext): void {
  command
    .option("--repair", "first repair what can be repaired without data loss")
    .option("--settings", "show all settings, including unset ones")
    .addHelpText(
      "after",
      `
--repair fixes file modes in VENUE_HOME, clears leftovers of killed processes
(the lock, unfinished files), points a missing \`current\` at the newest intact
published version, and rebuilds a missing or damaged mart from loaded data. If
loaded data is lost, it loads the kept landings. It keeps a damaged file,
removes nothing that can't be recovered, and does nothing during another run
(exit code 75).

Example:
  $ venue doctor --data-dir /srv/venue
`,
    )
    .action(async (flags: { repair?: true; settings?: true }) => {
      const { diagnose } = await import("../../../doctor/diagnose.ts");
      const lenient = context.readSettings({ isLenient: true });
      const settings = listSettings(lenient);
      const format = context.isLogJson ? "json" : "text";
      const logger = createLogger({ write: (line) => context.io.stderr.write(line), format });
      const repairs = flags.repair ? await runRepairs(context, lenient) : undefined;
      const found = await diagnose(lenient, logger, context.signal);
      const findings = [...(repairs?.problems ?? []), ...found].map((finding) => {
        if ("detail" in finding) return { part: finding.part, ok: true, detail: finding.detail, exitCode: 0 };
        const error = explainFailure(finding.error);
        const detail = getErrorMessage(error);
        return { part: finding.part, ok: false, detail, exitCode: getExitCode(error) };
      });
      context.exitCode = combineExitCodes(findings.map(({ exitCode }) => exitCode));
      const failed = findings.filter(({ ok }) => !ok).length;
      const lines = [
        failed === 0
          ? `All ${findings.length} checks passed.`
          : `${failed} of ${findings.length} checks failed:`,
        ...(repairs?.done ?? []).map((line) => `done  ${line}`),
        ...(repairs?.done.length === 0 && repairs.problems.length === 0 ? ["done  no repairs needed"] : []),
        ...findings.map(({ part, ok, detail }) => `${ok ? "ok  " : "FAIL"}  ${part}: ${detail}`),
        ...formatSettings(settings, flags.settings ?? false),
      ];
      context.printResult(
        {
          settings,
          ...(repairs ? { repairs: repairs.done } : {}),
          checks: findings.map(({ exitCode, ...check }) => check),
        },
        lines.join("\n"),
      );
    });
}

/**
 * Runs the repairs as a recorded run. An error that stops them becomes a finding.
 * @throws {RunLockedError}
 */
async function runRepairs(
  context: CliContext,
  settings: Settings,
): Promise<{ done: string[]; problems: Finding[] }> {
  const { describeClosingRuns, repair } = await import("../../../doctor/repair/repair.ts");
  const { repairHome } = await import("../../../doctor/repair/repair-home.ts");
  const { RunLockedError } = await import("../../../state/data/run-lock.ts");
  const done: string[] = [];
  try {
    const { root } = new DataFolder(settings.get("VENUE_DATA_DIR"));
    // A missing folder needs no repair, and a repair must not create it.
    if (!existsSync(root)) return { done: repairHome(settings.get("VENUE_HOME")), problems: [] };
    const workspace = await openWorkspace(context, settings);
    try {
      const closed = describeClosingRuns(workspace.state.runs);
      const work = async () => {
        const all = [...closed, ...(await repair(workspace))];
        return { exitCode: exitCodes.done, note: `${all.length} repaired`, summary: { done: all } };
      };
      await withRun(context, workspace, "doctor --repair", work, ({ summary }) => done.push(...summary.done));
      return { done, problems: [] };
    } finally {
      workspace.state.close();
    }
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof RunLockedError) throw error;
    return { done, problems: [{ part: "repair", error }] };
  }
}

/** Lists each setting with its value or problem, and its origin. */
function listSettings(settings: Settings) {
  return variableNames.map((name) => {
    const value = settings.find(name);
    const { isSecret } = variables[name] as Variable;
    return {
      name,
      value: value === undefined ? null : isSecret ? "********" : formatValue(value),
      origin: settings.originOf(name),
      problem: settings.findProblem(name)?.message ?? null,
    };
  });
}

/** Formats the settings that are set, or all settings. */
function formatSettings(settings: ReturnType<typeof listSettings>, isAll: boolean): string[] {
  const shown = settings.filter(({ origin }) => isAll || (origin !== "default" && origin !== "not set"));
  if (shown.length === 0) return ["", `No settings are set. --settings shows all ${settings.length}.`];
  const width = Math.max(...shown.map(({ name }) => name.length));
  return [
    "",
    isAll ? "Settings:" : `Settings that are set (--settings shows all ${settings.length}):`,
    ...shown.map(
      ({ name, value, origin, problem }) => `${name.padEnd(width)}  ${problem ?? value ?? "–"}  (${origin})`,
    ),
  ];
}

function formatValue(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
