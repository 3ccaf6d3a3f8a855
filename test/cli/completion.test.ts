import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalog } from "../../src/report/catalog/catalog.ts";
import { listDimensions } from "../../src/report/catalog/report-entry.ts";
import { attributedWorld } from "../report/attributed-world.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { program, runVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

type Shell = "bash" | "zsh" | "fish";

/** Words typed, and the completions that must or must not be offered. */
const cases: [typed: string[], offered: string[], notOffered: string[]][] = [
  [[""], ["api", "login", "doctor", "report", "completion"], ["playlists", "--json"]],
  [["api", ""], ["devices", "music", "playlists", "messaging", "signage", "history", "status"], ["api"]],
  [["api", "signage", ""], ["create-campaign", "upload-asset", "archive-asset"], ["now-playing"]],
  [["api", "signage", "create-campaign", "--"], ["--group-id", "--rrule", "--yes", "--json"], ["--volume"]],
  [["api", "history", "export", "--kind", ""], ["music", "signage", "messaging"], ["--group-id"]],
  [["--log", "json", "api", "mu"], ["music"], []],
  [["sync", "--group"], ["--group-ids"], []],
  [["sync", ""], ["history", "devices", "campaigns", "status"], []],
  [["report", ""], ["plays", "quality"], []],
  [["report", "plays", "--format", "c"], ["csv"], []],
  [["api", "devices", "status", "--group-id", ""], [], ["devices", "status"]],
];

async function script(shell: Shell, dataFolder = "data"): Promise<string> {
  const folder = createTempFolder();
  const { stdout, stderr, code } = await runVenue(["completion", shell], {
    environment: {},
    workingFolder: folder,
  });
  expect(code, stderr).toBe(0);
  const file = join(folder, `venue.${shell}`);
  writeFileSync(file, stdout);
  // The script calls `venue` from the shell's path.
  const venue = join(folder, "venue");
  writeFileSync(
    venue,
    `#!/bin/sh\nVENUE_DATA_DIR='${dataFolder}' exec '${process.execPath}' '${program}' "$@"\n`,
  );
  chmodSync(venue, 0o755);
  return file;
}

function isInstalled(shell: Shell): boolean {
  return spawnSync(shell, ["--version"], { stdio: "ignore" }).status === 0;
}

function run(shell: Shell, file: string, script: string, args: readonly string[] = []): string[] {
  const options = shell === "bash" ? ["--norc", "--noprofile"] : shell === "zsh" ? ["-f"] : ["--no-config"];
  const env = { ...process.env, PATH: `${dirname(file)}:${process.env.PATH}` };
  const output = execFileSync(shell, [...options, "-c", script, ...args], { encoding: "utf8", env });
  return output.split("\n").filter((line) => line !== "");
}

/** The completions a shell offers for a line, given the script. */
const offers: Record<Shell, (file: string, typed: readonly string[]) => string[]> = {
  bash: (file, typed) =>
    run(
      "bash",
      file,
      `set -u; . "$0"; COMP_WORDS=(venue "$@"); COMP_CWORD=$#; _venue; printf "%s\\n" "\${COMPREPLY[@]-}"`,
      [file, ...typed],
    ),
  // The line editor, which filters by the typed text, needs a terminal.
  zsh: (file, typed) =>
    run(
      "zsh",
      file,
      'compdef() { :; }; . "$0"; _files() { :; }; _describe() { print -l -- $candidates; }; words=(venue "$@"); CURRENT=$#words; _venue',
      [file, ...typed],
    )
      .map((line) => line.replace(/:.*/, ""))
      .filter((name) => name.startsWith(typed.at(-1) ?? "")),
  fish: (file, typed) =>
    run("fish", file, `source ${file}; complete -C '${["venue", ...typed].join(" ")}'`).map((line) =>
      line.replace(/\t.*/, ""),
    ),
};

describe.each<Shell>(["bash", "zsh", "fish"])("%s", (shell) => {
  it.skipIf(!isInstalled(shell))("completes commands, flags and values", async () => {
    const file = await script(shell);
    for (const [typed, expected, unexpected] of cases) {
      const offered = offers[shell](file, typed);
      const line = `venue ${typed.join(" ")}`;
      expect(offered, line).toEqual(expect.arrayContaining(expected));
      for (const word of unexpected) expect(offered, line).not.toContain(word);
      const last = typed.at(-1) ?? "";
      expect(
        offered.filter((word) => !word.startsWith(last)),
        line,
      ).toEqual([]);
    }
  });
});

it.skipIf(!isInstalled("bash"))(
  "bash: completes a value after an equals sign, which readline treats as a word",
  async () => {
    const file = await script("bash");
    expect(offers.bash(file, ["api", "history", "export", "--kind", "=", "mu"])).toEqual(["music"]);
    expect(offers.bash(file, ["api", "history", "export", "--kind", "="])).toEqual([
      "music",
      "signage",
      "messaging",
    ]);
  },
);

/** Dimensions of `--by`, and the attributes of the published version with their values. */
const attributeCases: [typed: string[], offered: string[], notOffered: string[]][] = [
  [
    ["report", "plays", "--by", ""],
    ["zone", "region", "store_manager", "genre"],
    ["advertiser", "plays"],
  ],
  [["report", "plays", "--by", "region,g"], ["region,group", "region,genre"], ["region,region"]],
  [["report", "compliance", "--by=ad"], ["--by=advertiser"], []],
  [
    ["report", "plays", "--where", ""],
    ["region=", "genre="],
    ["advertiser=", "zone="],
  ],
  [["report", "devices", "--where", "region=N"], ["region=North"], []],
  [["report", "own-zones", "--where", "region=N"], ["region=North"], []],
  [["report", "devices", "--where", "region=North,("], ["region=North,(none)"], []],
  [["report", "plays", "--where", "zone="], [], ["plays"]],
  [["report", "plays", "--where", "region=North", ""], ["plays"], ["North"]],
  [["report", "devices", "--only", "down,s"], ["down,silent"], ["down,down", "missed"]],
  [["report", "compliance", "--only=m"], ["--only=missed"], ["--only=silent"]],
  [["report", "plays", "--only", ""], [], ["down", "plays"]],
];

it("completes attributes and values of the published version, and the states of the report", async () => {
  const folder = createTempFolder();
  mkdirSync(join(folder, "published"));
  await publishFixture(join(folder, "published"), attributedWorld());
  mkdirSync(join(folder, "own", "reports"), { recursive: true });
  writeFileSync(join(folder, "own", "reports", "own-zones.sql"), "select zone_id from chosen_zone");
  const environment = { VENUE_DATA_DIR: folder };
  for (const [typed, expected, unexpected] of attributeCases) {
    const { stdout } = await runVenue(["complete", "--", ...typed], { environment, workingFolder: folder });
    const offered = stdout.split("\n").map((line) => line.replace(/\t.*/, ""));
    expect(offered, typed.join(" ")).toEqual(expect.arrayContaining(expected));
    for (const word of unexpected) expect(offered, typed.join(" ")).not.toContain(word);
  }
  if (!isInstalled("bash")) return;
  // Readline splits words at an equals sign, and treats completions as words of the shell.
  const file = await script("bash", folder);
  const ofRegion = ["report", "plays", "--where", "region"];
  expect(offers.bash(file, [...ofRegion, "=", "E"])).toEqual(["East\\,\\ far"]);
  expect(offers.bash(file, [...ofRegion, "="])).toEqual(expect.arrayContaining(["North", "\\(none\\)"]));
  expect(offers.bash(file, ["report", "plays", "--by", "region,g"])).toEqual([
    "region,group",
    "region,genre",
  ]);
});

it("without a published version, completes only the dimensions of --by", async () => {
  const folder = createTempFolder();
  const { stdout, stderr, code } = await runVenue(["complete", "--", "report", "uptime", "--by", ""], {
    environment: { VENUE_DATA_DIR: folder },
    workingFolder: folder,
  });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.trimEnd().split("\n")).toEqual(listDimensions(catalog.uptime));
});
