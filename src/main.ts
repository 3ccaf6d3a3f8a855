#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { findWorkingFolder } from "./cli/cli-context.ts";
import { runProgram } from "./cli/program.ts";

// The HTTP library's parser is WebAssembly. To compile it a second time, for speed, takes 30 MB and half a second at the
// end of every command that sends something: more than any of them wins by it.
setFlagsFromString("--liftoff-only");

process.exitCode = await runProgram(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  environment: process.env,
  onUncaught: (end) => process.on("uncaughtException", end),
  get workingFolder() {
    return findWorkingFolder();
  },
});
