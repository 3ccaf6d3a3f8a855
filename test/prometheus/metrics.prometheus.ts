import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { findFreePort } from "../api/support/scripted-service.ts";
import { runVenue, startVenue } from "../support/run-venue.ts";
import { shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const folder = inject("prometheus");
const rules = new URL("../../docs/prometheus/venue.rules.yml", import.meta.url).pathname;
const token = "a".repeat(64);

function promtool(words: readonly string[], input = ""): string {
  return execFileSync(join(folder ?? "", "promtool"), words, { input, encoding: "utf8" });
}

describe.skipIf(folder === undefined)("with a real Prometheus", () => {
  it("promtool finds no fault in the metrics", async () => {
    const environment = { VENUE_DATA_DIR: await shareDemoData() };
    const { stdout } = await runVenue(["metrics"], { environment, workingFolder: createTempFolder() });
    expect(promtool(["check", "metrics"], stdout)).toBe("");
  });

  it("each alert fires at its limit, and not before", () => {
    const place = createTempFolder();
    copyFileSync(rules, join(place, "venue.rules.yml"));
    const tests = join(place, "test.yml");
    copyFileSync(new URL("venue.rules.test.yml", import.meta.url).pathname, tests);
    expect(promtool(["check", "rules", rules])).toContain("8 rules found");
    expect(promtool(["test", "rules", tests])).toContain("SUCCESS");
  });

  it("Prometheus scrapes venue serve with its token, and fires an alert about stale data", async () => {
    const workingFolder = createTempFolder();
    const tokenFile = join(workingFolder, "token");
    writeFileSync(tokenFile, token, { mode: 0o600 });
    // The demo's data is from a fixed day, which is long ago.
    const environment = { VENUE_DATA_DIR: await shareDemoData() };
    const served = startVenue(["serve", "--port", "0", "--token-file", tokenFile], {
      environment,
      workingFolder,
    });
    const origin = await new Promise<string>((found) =>
      served.child.stdout?.once("data", (line) => found(new URL(String(line).trim()).host)),
    );
    const port = await findFreePort();
    writeFileSync(
      join(workingFolder, "prometheus.yml"),
      JSON.stringify({
        global: { scrape_interval: "1s", evaluation_interval: "1s" },
        rule_files: [rules],
        scrape_configs: [
          {
            job_name: "venue",
            authorization: { credentials_file: tokenFile },
            static_configs: [{ targets: [origin] }],
          },
        ],
      }),
    );
    startPrometheus(workingFolder, port);
    await expect
      .poll(() => findAlerts(port), { timeout: 60_000, interval: 500 })
      .toEqual(expect.arrayContaining(["VenueDataStale firing", "VenueSourceStale firing"]));
    expect(await findAlerts(port)).not.toContain("VenueMetricsMissing firing");
  });
});

function startPrometheus(workingFolder: string, port: number): ChildProcess {
  const child = spawn(
    join(folder ?? "", "prometheus"),
    [
      "--config.file=prometheus.yml",
      "--storage.tsdb.path=tsdb",
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
    ],
    { cwd: workingFolder, stdio: "ignore" },
  );
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

async function findAlerts(port: number): Promise<string[]> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`);
    const { data } = (await response.json()) as {
      data: { alerts: { labels: { alertname: string }; state: string }[] };
    };
    return data.alerts.map(({ labels, state }) => `${labels.alertname} ${state}`);
  } catch {
    return [];
  }
}
