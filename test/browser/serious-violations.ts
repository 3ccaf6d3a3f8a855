import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe-core finds that keeps somebody from reading the page. */
export async function seriousViolations(page: Page): Promise<string[]> {
  // Evaluated by the browser itself, past the page's policy.
  await page.evaluate(axe.source);
  const violations = (await page.evaluate("axe.run().then(({ violations }) => violations)")) as Violation[];
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target}: ${failureSummary}`),
    );
}
