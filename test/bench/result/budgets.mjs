import { bases } from "../cases/base-cases.mjs";
import { loads } from "../cases/load-cases.mjs";
import { isReport } from "../cases/report-cases.mjs";
import { isView, wholeRows } from "../cases/serve-cases.mjs";
import { idle, namedZonesReport, smallReport } from "../cases/start-cases.mjs";

/** With fewer lines, startup distorts the ratios. */
const leastLines = 2_000_000;

/** Budgets as multiples of another case's time in the same run. */
const ratios = [
  ["first load, by time", bases.byTime, 1.6],
  ["first load, by zone", bases.byZone, 1.8],
  ["second load, by time", bases.byTime, 2.2],
  ["second load, by zone", bases.byZone, 2.2],
  ["again, by time", bases.byTime, 0.5],
  ["again, by zone", bases.byZone, 0.5],
  ["again, lines shuffled", bases.byTime, 0.5],
  ["one more day, by time", bases.byTime, 0.62],
  ["one more day, by zone", bases.byZone, 0.62],
  ["first load, 0.1 % broken lines", bases.byTime, 1.7],
  ["first load, gzipped", bases.byTime],
  ["build and publish, all", "first load, by time", 1.5],
  ["build, after one more day", "build and publish, all", 0.1],
  ["build, after a line of two months back", "build and publish, all"],
  ["venue --help", idle, 2],
  ["venue --version", idle, 2],
];
const loadPeakMb = 1100;
const arrowPeakMb = 500;
const servePeakMb = 700;
const viewSeconds = 1;
const reportSeconds = 1;
const smallReportSeconds = 0.4;
const namedZonesSeconds = 2;
const pageSeconds = 3;
const mostMemory = "most memory of a load";

/**
 * All figures, each with its `budget` if it is compared: `figure`, in `unit`, must not exceed `most`, which
 * is undefined for a comparison without a budget. A row with the peak memory of all loads follows the loads.
 */
export function judged(figures, lines) {
  const rows = figures.all;
  const peaks = rows.filter(({ what }) => loads.includes(what)).map(({ peakMb }) => peakMb);
  const peakMb = peaks.includes(undefined) ? undefined : Math.max(...peaks);
  rows.splice(rows.findLastIndex(({ what }) => loads.includes(what)) + 1, 0, { what: mostMemory, peakMb });
  for (const [what] of ratios)
    if (rows.every((row) => row.what !== what)) rows.push({ what, problem: "was not measured" });
  return rows.map((row) => {
    const budget = budgetOf(row, figures, lines);
    // NaN, after a failure, counts as a missed budget.
    return budget
      ? { ...row, budget: { ...budget, isMissed: !(budget.figure <= (budget.most ?? Infinity)) } }
      : row;
  });
}

function budgetOf({ what, seconds, peakMb }, figures, lines) {
  const [, over, most] = ratios.find(([name]) => name === what) ?? [];
  if (over !== undefined) {
    const isMeasured = lines >= leastLines || over === idle;
    const figure = seconds / figures.of(over).seconds;
    return { unit: `÷ ${over}`, figure, most: isMeasured ? most : undefined };
  }
  if (isReport(what))
    return { unit: "s", figure: seconds, most: what.endsWith(" html") ? pageSeconds : reportSeconds };
  if (what === smallReport) return { unit: "s", figure: seconds, most: smallReportSeconds };
  if (what === namedZonesReport) return { unit: "s", figure: seconds, most: namedZonesSeconds };
  if (isView(what)) return { unit: "s", figure: seconds, most: viewSeconds };
  const mostMb =
    what === wholeRows
      ? servePeakMb
      : what === mostMemory
        ? loadPeakMb
        : what.endsWith(" as arrow")
          ? arrowPeakMb
          : undefined;
  return mostMb !== undefined && peakMb !== undefined
    ? { unit: "MB", figure: peakMb, most: mostMb }
    : undefined;
}
