// Runs the compiled program, and kills it as it is about to run a statement: node killed-load.child.mjs <how-manieth, 0:
// none> <argument of venue>... Tells on stderr how many there were.
import { runProgram } from "../../dist/cli/program.js";
import { DuckDb } from "../../dist/engines/duckdb/duckdb.js";

const [killedAt, ...args] = process.argv.slice(2);
const { run } = DuckDb.prototype;
let statements = 0;
DuckDb.prototype.run = async function (...parameters) {
  statements += 1;
  if (statements === Number(killedAt)) process.kill(process.pid, "SIGKILL");
  return await run.apply(this, parameters);
};
process.exitCode = await runProgram(args, {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  environment: process.env,
  workingFolder: process.cwd(),
});
process.stderr.write(`statements: ${statements}\n`);
