import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { itInAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";
import { blocksOf } from "./pages.ts";
import { commandsOf } from "./shell-commands.ts";

itInAll("the README leads from a one-time code to reports, and runs the everyday commands", async () => {
  const setup = await setUp({ days: 3, zones: 3, playScale: 0.1 });
  const { emulator, workingFolder, dataFolder, environment } = setup;
  // The file from the README, filled in; the secret comes from `venue login`.
  const [file] = blocksOf("README.md").filter(({ language }) => language === "ini");
  const names = file?.text.split("\n").flatMap((line) => line.split("=").slice(0, -1)) ?? [];
  expect(names.length).toBeGreaterThan(2);
  writeFileSync(join(workingFolder, ".env"), names.map((name) => `${name}=${environment[name]}\n`).join(""));
  for (const name of [...names, "VENUE_CLIENT_SECRET"]) delete environment[name];

  for (const { program, args } of commandsOf("README.md")) {
    // One run is enough: `--open` has its own tests.
    if (program !== "venue" || args[0] === "serve" || (args[0] === "run" && args.length > 1)) continue;
    const input = args[0] === "login" ? { input: emulator.oneTimeCode } : {};
    const { code, stdout, stderr } = await runVenue(args, { ...setup, ...input });
    const line = `venue ${args.join(" ")}\n${stdout}${stderr}`;
    // Devices were listed only once, so their uptime is unknown, which is below any threshold.
    expect(code, line).toBe(args.includes("--fail-under") ? 1 : 0);
    if (!args.includes("--out")) expect(stdout, line).not.toBe("");
  }
  expect(readFileSync(join(workingFolder, "plays.csv"), "utf8")).toMatch(/^zone_id,/);
  expect(existsSync(join(dataFolder, "reports", "latest", "plays.html"))).toBe(true);
  expect(existsSync(join(dataFolder, "published", "current", "dictionary.html"))).toBe(true);
});
