import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export interface ClientProcessInput {
  baseUrl: string;
  stateFile: string;
  ratePerSecond: number;
  requests: number;
  /** Status API to request instead of the main API. */
  statusUrl?: string;
}

export interface ClientProcess {
  child: ChildProcess;
  /** Printed when the process ends. */
  result: Promise<{ failures: number; sent: number }>;
}

/** A real process with its own client, ended with the test. */
export function spawnClient(input: ClientProcessInput): ClientProcess {
  const script = fileURLToPath(new URL("client-process.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(input)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout?.on("data", (chunk) => {
    printed += chunk;
  });
  const result = new Promise<{ failures: number; sent: number }>((resolve, reject) => {
    child.on("close", (code) =>
      code === 0 ? resolve(JSON.parse(printed)) : reject(new Error(`ended with ${code}`)),
    );
  });
  // A process killed on purpose has no result.
  result.catch(() => undefined);
  return { child, result };
}
