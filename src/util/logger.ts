import { sanitizeLines } from "./text/escaping.ts";

/** Values that are logged with a message; must not be secret. */
type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Logs progress and notes for people (text) or programs (json), one line each. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
}

export interface LoggerOptions {
  /** Receives whole lines, including the newline. */
  write(line: string): void;
  /** `json`: one JSON object per line. */
  format: "text" | "json";
  isDebug?: boolean;
}

export function createLogger({ write, format, isDebug = false }: LoggerOptions): Logger {
  const log = (level: "debug" | "info" | "warn") => (message: string, fields?: LogFields) => {
    if (level === "debug" && !isDebug) return;
    write(
      format === "json"
        ? asJson(level, message, fields)
        : asText(level === "warn" ? "warning: " : "", message, fields),
    );
  };
  return { debug: log("debug"), info: log("info"), warn: log("warn") };
}

export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {} };

function asJson(level: string, message: string, fields?: LogFields): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`;
}

function asText(prefix: string, message: string, fields?: LogFields): string {
  const details = Object.entries(fields ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`);
  const text = `${prefix}${message}${details.length > 0 ? ` (${details.join(", ")})` : ""}`;
  // Zone names, file names and responses from the service may contain control characters.
  return `${sanitizeLines(text)}\n`;
}
