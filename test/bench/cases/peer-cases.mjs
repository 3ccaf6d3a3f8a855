import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startLines } from "../history/history-files.mjs";
import { measureProcess } from "../measure/measured-process.mjs";
import { outside } from "../measure/venue.mjs";

const maxLines = 10_000_000;
const peers = (name) => fileURLToPath(new URL(`../peers/${name}`, import.meta.url));

/** Measures other tools on the same file, once each: some take minutes. */
export async function measurePeers({ folder, history, files, figures, say }) {
  if (history.plays > maxLines) {
    say(`other tools are left out: there are more than ${maxLines.toLocaleString("en")} lines`);
    return;
  }
  const target = join(folder, "peer");
  const take = async (what, file, command, script, scaled = (sample) => sample) => {
    say(what);
    await figures.take(what, () =>
      files.with(file, async (path) =>
        scaled(await measureProcess(command, [peers(script), path, target], outside(folder))),
      ),
    );
    for (const suffix of ["", ".wal", ".dlt"]) rmSync(target + suffix, { recursive: true, force: true });
  };
  await take("Node: split2, JSON.parse, appender", "by time", process.execPath, "node.mjs");
  const python = installPython(folder, say);
  if (python === undefined) return;
  await take("Polars to Parquet", "by time", python, "polars_to_parquet.py");
  await take("pyarrow to Parquet", "by time", python, "pyarrow_to_parquet.py");
  const share = Math.max(1, history.plays / startLines);
  await take("dlt to DuckDB", "start of by time", python, "dlt_to_duckdb.py", (sample) => ({
    ...sample,
    seconds: sample.seconds * share,
    cpuSeconds: sample.cpuSeconds * share,
    note:
      share > 1
        ? `of ${startLines.toLocaleString("en")} lines, times ${share}; the peak is of those lines`
        : undefined,
  }));
}

/**
 * Creates an environment with the packages of requirements.txt.
 * @returns its python, or undefined if unavailable
 */
function installPython(folder, say) {
  const environment = join(folder, "python");
  const pip = [
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--requirement",
    peers("requirements.txt"),
  ];
  say("installing Polars, pyarrow and dlt");
  for (const [command, words] of [
    ["python3", ["-m", "venv", environment]],
    [join(environment, "bin/pip"), pip],
  ]) {
    const { status, stderr, error } = spawnSync(command, words, { encoding: "utf8" });
    if (status !== 0) {
      say(`Polars, pyarrow and dlt are left out: ${(error?.message ?? stderr).trim().split("\n").at(-1)}`);
      return undefined;
    }
  }
  return join(environment, "bin/python");
}
