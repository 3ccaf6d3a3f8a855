#!/usr/bin/env node
import { runProgram } from "./cli/program.ts";

process.exitCode = await runProgram(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  environment: process.env,
  workingFolder: process.cwd(),
});
