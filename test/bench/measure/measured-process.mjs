import { spawn, spawnSync } from "node:child_process";
import { peakMbOf } from "./process-figures.mjs";

/** Reports the process id, then, after its end, the times of Bash's own clock, separately from the output. */
const timed = `TIMEFORMAT="%R %U %S"
exec 4>&2 2>&3
time { (echo $BASHPID >&3; exec "$@" 2>&4 3>&- 4>&-); }`;
const sampleMs = 20;
let runningId = () => undefined;

/**
 * Runs a program to its end and measures it from outside: wall-clock seconds, CPU seconds (user and system),
 * and peak memory in MB of 10^6 bytes, from the kernel (read every 20 ms; undefined without /proc).
 * @throws when it fails, with the last lines of its output
 */
export async function measureProcess(command, args, { cwd, env }) {
  // Flushes earlier processes' writes, so that they do not slow this one down.
  spawnSync("sync");
  const child = spawn("bash", ["-c", timed, "bash", command, ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const [stdout, stderr, clock] = child.stdio.slice(1).map(collected);
  runningId = () => processId(clock);
  let peakMb;
  const sampling = setInterval(() => {
    peakMb = peakMbOf(runningId()) ?? peakMb;
  }, sampleMs);
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  clearInterval(sampling);
  runningId = () => undefined;
  if (code !== 0) {
    const said = (stderr.text() || stdout.text()).trim().split("\n").slice(-5).join("\n");
    throw new Error(`${[command, ...args].join(" ")} ended with ${code}: ${said}`);
  }
  const [seconds, user, system] = clock
    .text()
    .trim()
    .split("\n")
    .at(-1)
    .replaceAll(",", ".")
    .split(" ")
    .map(Number);
  return {
    seconds,
    cpuSeconds: user + system,
    peakMb,
    stdout: stdout.text(),
  };
}

export function killMeasured() {
  const id = runningId();
  if (id !== undefined) process.kill(id, "SIGKILL");
}

function collected(stream) {
  const chunks = [];
  stream.on("data", (chunk) => chunks.push(chunk));
  return { text: () => Buffer.concat(chunks).toString("utf8") };
}

function processId(clock) {
  const [line, ...more] = clock.text().split("\n");
  return more.length > 0 ? Number(line) : undefined;
}
