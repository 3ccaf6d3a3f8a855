// Runs a program, and kills it once this process's stdin is closed, so that no server outlives the tests,
// however they end. node guard.child.mjs PROGRAM ARGUMENT…
import { spawn } from "node:child_process";

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
const kill = () => child.kill("SIGKILL");
process.stdin.on("end", kill).on("error", kill).resume();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, kill);
child.on("error", () => process.exit(1));
child.on("exit", (code) => process.exit(code ?? 1));
