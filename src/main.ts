#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { exitCodes } from "./cli/exit-code.ts";
import { runProgram } from "./cli/program.ts";

// The HTTP library's parser is WebAssembly. To compile it a second time, for speed, takes 30 MB and half a second at the
// end of every command that sends something: more than any of them wins by it.
setFlagsFromString("--liftoff-only");

const workingFolder = findWorkingFolder();
if (workingFolder === undefined) {
  process.stderr.write(
    "venue: The working folder no longer exists. Go to one that does, and run this again.\n",
  );
  process.exitCode = exitCodes.usage;
} else {
  process.exitCode = await runProgram(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    environment: process.env,
    workingFolder,
  });
}

/** Nothing where it was removed meanwhile. */
function findWorkingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
