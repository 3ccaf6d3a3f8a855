import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { canRunThrough, startVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";

/** The wrapped command finds this file as `/etc/hosts`. */
const withHosts = (file: string) => [
  "unshare",
  "--mount",
  "sh",
  "-c",
  'mount --bind "$0" /etc/hosts && exec "$@"',
  file,
];

/** Starts a listener that answers requests to connect only once it is resumed. */
async function startStopped(port: string) {
  const script = fileURLToPath(new URL("slow-listener.child.mjs", import.meta.url));
  const child = fork(script, [port]);
  const waiting: Socket[] = [];
  onTestFinished(() => {
    for (const socket of waiting) socket.destroy();
    child.kill("SIGKILL");
  });
  const [own] = (await once(child, "message")) as [number];
  child.kill("SIGSTOP");
  // The operating system accepts connections until its queue is full.
  for (let isFull = false; !isFull; ) {
    const socket = connect(own, "127.0.0.1").on("error", () => {});
    waiting.push(socket);
    isFull = await Promise.race([once(socket, "connect").then(() => false), sleep(300).then(() => true)]);
  }
  const before = countConnecting(own);
  return {
    port: own,
    hasAttempt: () => countConnecting(own) > before,
    resume: () => child.kill("SIGCONT"),
  };
}

/** Counts connections to a port that have been requested but not answered. */
function countConnecting(port: number): number {
  const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")} 02 `;
  return readFileSync("/proc/net/tcp", "utf8").split(remote).length - 1;
}

it.runIf(canRunThrough(withHosts("/etc/hosts")))(
  "connects to the first of several addresses even if it takes longer than Node.js usually waits",
  async () => {
    const setup = await setUp({ days: 1, zones: 1, playScale: 0.1 });
    const { port, pathname } = new URL(setup.emulator.baseUrl);
    const listener = await startStopped(port);
    const hosts = join(setup.workingFolder, "hosts");
    writeFileSync(hosts, "127.0.0.1 slow.test\n127.0.0.2 slow.test\n");
    const environment = {
      ...setup.environment,
      VENUE_BASE_URL: `http://slow.test:${listener.port}${pathname}`,
      VENUE_ALLOW_HTTP: "1",
    };
    const running = startVenue(["sync", "devices", "--debug"], {
      ...setup,
      environment,
      through: withHosts(hosts),
    });
    while (!listener.hasAttempt() && running.child.exitCode === null) await sleep(20);
    // The system repeats its request only after a second, four times as long as Node.js usually waits.
    listener.resume();
    const { code, stderr } = await running.finished;
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/attempt \d+ of/)]);
  },
);
