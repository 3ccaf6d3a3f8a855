#!/usr/bin/env node
import { setDefaultAutoSelectFamilyAttemptTimeout } from "node:net";
import { setFlagsFromString } from "node:v8";
import { findWorkingFolder } from "./cli/cli-context.ts";
import { runProgram } from "./cli/program.ts";

// The HTTP library's parser is WebAssembly. To compile it a second time, for speed, takes 30 MB and half a second at the
// end of every command that sends something: more than any of them wins by it.
setFlagsFromString("--liftoff-only");

// If a host has several addresses, Node.js tries each for only 250 ms by default, too short for slow networks. This is the
// limit of every client; it leaves time for the next address within the shortest time limit, that of the heartbeat.
setDefaultAutoSelectFamilyAttemptTimeout(2_000);

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
