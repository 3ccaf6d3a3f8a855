import { spawn } from "node:child_process";
import type { CliContext } from "../cli-context.ts";

/** Programs that open a file as a double-click would; `BROWSER` overrides them. */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["explorer.exe"],
};

/** Opens a file in the browser without waiting. If that fails, logs the file's path. */
export function openInBrowser({ io, logger }: Pick<CliContext, "io" | "logger">, file: string): void {
  const { BROWSER: browser } = io.environment;
  const [program, ...words] = browser ? [browser] : (openers[process.platform] ?? ["xdg-open"]);
  const child = spawn(program, [...words, file], { detached: true, stdio: "ignore" });
  child.on("error", ({ message }) => logger.warn(`No browser could be opened (${message}): ${file}`));
  child.unref();
}
