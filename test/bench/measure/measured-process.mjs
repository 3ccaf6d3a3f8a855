import { spawn, spawnSync } from "node:child_process";
import { peakMbOf } from "./process-figures.mjs";

/** Tells the process's number, then what Bash's own clock says of it once it has ended, apart from what it prints. */
const timed = `TIMEFORMAT="%R %U %S"
exec 4>&2 2>&3
time { (echo $BASHPID >&3; exec "$@" 2>&4 3>&- 4>&-); }`;
const sampleMs = 20;
/** The process that is measured now. */
let runningId = () => undefined;

/**
 * Runs a program to its end and measures it from outside: seconds on the clock, seconds of all processors (user and
 * system), and the most memory it held, in MB of 10^6 bytes, as the kernel keeps it (looked up every 20 ms; undefined
 * where there is no /proc).
 * @throws when it fails, with the last lines of what it said
 */
export async function measureProcess(command, args, { cwd, env }) {
  // What earlier processes left to be written should not be written during this one.
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

/** Ends what is being measured now. */
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
