const headings = ["what", "median", "min–max", "CPU", "peak MB", "ratio", "budget", "", "ratio to"];

/** One figure per line, times in seconds; problems and notes below. */
export function tableText(rows) {
  const lines = rows.map(cellsOf);
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...lines.map((line) => line[column].length)),
  );
  const text = (cells) =>
    cells
      .map((cell, column) =>
        column === 0 || column > 4 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
      )
      .join("  ")
      .trimEnd();
  return [
    text(headings),
    text(widths.map((width) => "─".repeat(width))),
    ...rows.flatMap(({ problem, note }, index) => [
      text(lines[index]),
      ...(problem ? [`  FAILED: ${problem}`] : []),
      ...(note ? [`  ${note}`] : []),
    ]),
  ].join("\n");
}

function cellsOf({ what, rounds, seconds, least, most, cpuSeconds, peakMb, budget }) {
  const times =
    rounds > 0
      ? [timeText(seconds), `${timeText(least)}–${timeText(most)}`, timeText(cpuSeconds)]
      : ["", "", ""];
  return [what, ...times, peakMb?.toFixed(0) ?? "", ...budgetCells(budget)];
}

function budgetCells(budget) {
  if (budget === undefined) return ["", "", "", ""];
  const { unit, figure, most, isMissed } = budget;
  const isRatio = unit.startsWith("÷");
  const ratio = isRatio && Number.isFinite(figure) ? figure.toFixed(2) : "";
  const over = isRatio ? unit.slice(2) : "";
  if (most === undefined) return [ratio, "", "", over];
  return [ratio, `≤ ${most}${isRatio ? "" : ` ${unit}`}`, isMissed ? "MISSED" : "ok", over];
}

function timeText(seconds) {
  return seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(1);
}
