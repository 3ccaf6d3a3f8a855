// Runs the compiled program and kills it before a statement: node killed-load.child.mjs <statement number, 0:
// never> <argument of venue>... Reports on stderr the number of statements, and the ones at which changes to
// core began and ended.
import { runProgram } from "../../dist/cli/program.js";
import { DuckDb } from "../../dist/engines/duckdb/duckdb.js";
import { listStatements } from "../../dist/engines/statements.js";

const [killedAt, ...args] = process.argv.slice(2);
const { run, transaction } = DuckDb.prototype;
let statements = 0;
let changing = [0, 0];
DuckDb.prototype.run = async function (script, parameters) {
  const parts = listStatements(script);
  let changed = 0;
  for (const [index, statement] of parts.entries()) {
    statements += 1;
    if (statements === Number(killedAt)) process.kill(process.pid, "SIGKILL");
    changed = await run.call(this, statement, index === parts.length - 1 ? parameters : []);
  }
  return changed;
};
DuckDb.prototype.transaction = async function (body) {
  const before = statements;
  const result = await transaction.call(this, body);
  // The longest span of changes is the load's; others prepare it.
  if (statements - before > changing[1] - changing[0]) changing = [before, statements];
  return result;
};
process.exitCode = await runProgram(args, {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  environment: process.env,
  workingFolder: process.cwd(),
});
process.stderr.write(`statements: ${statements}, changing core: ${changing.join(" to ")}\n`);
