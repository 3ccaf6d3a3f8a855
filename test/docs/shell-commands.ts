import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Block, blocksOf, blocksUnder, rowsBelow } from "./pages.ts";

/** A command as a shell would start it, without its own name. */
export interface ShellCommand {
  program: "venue" | "make";
  args: string[];
}

/** Records commands instead of running them: no other program is found. */
const recorder = `
note() { printf '%s\\0' "$@" >> "$NOTED"; printf '\\n\\0' >> "$NOTED"; }
venue() { note venue "$@"; }
make() { note make "$@"; }
cd() { :; }
PATH=/nonexistent
readonly PATH
`;

/** All calls of `venue` and `make` in a page's questions, and in its blocks for shells, cron and systemd, in order. */
export function commandsOf(page: string): ShellCommand[] {
  return [...questionsOf(page).flatMap(({ command }) => command), ...commandsIn(blocksOf(page))];
}

/** Rows of the table of questions; none on other pages. */
export function questionsOf(page: string): { question: string; answer: string; command: ShellCommand }[] {
  return rowsBelow(page, "| question | answer in the demo | command |").map(
    ([question = "", answer = "", span = ""]) => {
      const [command] = readScript(span.slice(1, -1));
      if (!command) throw new Error(`${page}: ${span}`);
      return { question, answer, command };
    },
  );
}

/** Returns the commands in the code blocks under a second-level heading. */
export function commandsUnder(page: string, heading: string): ShellCommand[] {
  return commandsIn(blocksUnder(page, heading));
}

function commandsIn(blocks: readonly Block[]): ShellCommand[] {
  const scripts = blocks.flatMap(({ language, text }) => {
    if (language === "sh") return text;
    if (language === "cron") return text.replaceAll(/^(?:[\d*/,-]+ +){5}/gm, "").replaceAll(/^\w+=.*$/gm, "");
    if (language === "ini")
      return [...text.matchAll(/^ExecStart=\/usr\/bin\/env (venue .*)$/gm)].map(([, line = ""]) => line);
    return [];
  });
  return scripts.flatMap(readScript);
}

function readScript(script: string): ShellCommand[] {
  const folder = mkdtempSync(join(tmpdir(), "venue-analytics-docs-"));
  const noted = join(folder, "noted");
  try {
    writeFileSync(noted, "");
    execFileSync("/bin/bash", ["-c", `${recorder}\n${script}\n:`], {
      cwd: folder,
      env: { NOTED: noted },
      stdio: "ignore",
    });
    const calls = readFileSync(noted, "utf8").split("\n\0").slice(0, -1);
    return calls.map((call) => {
      const [program, ...args] = call.split("\0").slice(0, -1);
      return { program: program as ShellCommand["program"], args };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
