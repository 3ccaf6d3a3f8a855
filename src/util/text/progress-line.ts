import { monotonicMs } from "../clock.ts";

/** A line that shows progress. */
export interface ProgressLine {
  /**
   * Shows a new state: immediately on a terminal, otherwise at most once per interval.
   * @param parts most important first; a terminal shows only those that fit on the line
   */
  show(...parts: string[]): void;
  /** Erases the line (on a terminal) before other output. */
  clear(): void;
}

export interface ProgressLineOptions {
  write(text: string): void;
  isTerminal: boolean;
  /** Current width of the terminal. @default 80 */
  columns?(): number | undefined;
  /** Writes a whole line if stderr is not a terminal. */
  log(text: string): void;
  /** Milliseconds between lines if stderr is not a terminal. @default 30_000 */
  intervalMs?: number;
}

export function createProgressLine(options: ProgressLineOptions): ProgressLine {
  return options.isTerminal ? createTerminalLine(options) : createLoggedLine(options);
}

const between = "; ";

function createTerminalLine({ write, columns = () => undefined }: ProgressLineOptions): ProgressLine {
  let isShown = false;
  return {
    show(...parts) {
      // Returns to the start of the line, writes the text, and erases the rest of the previous text. Leaves the
      // last column empty, because text there may wrap to the next line, where it would not be erased.
      write(`\r${joinFitting(parts, (columns() ?? 80) - 1)}\u001b[K`);
      isShown = true;
    },
    clear() {
      if (isShown) write("\r\u001b[K");
      isShown = false;
    },
  };
}

function createLoggedLine({ log, intervalMs = 30_000 }: ProgressLineOptions): ProgressLine {
  let lastAt = monotonicMs();
  return {
    show(...parts) {
      if (monotonicMs() - lastAt < intervalMs) return;
      lastAt = monotonicMs();
      log(parts.join(between));
    },
    clear() {},
  };
}

/** Joins the parts that fit; the first is truncated to the width. */
function joinFitting([first = "", ...others]: readonly string[], width: number): string {
  let text = first.slice(0, width);
  for (const part of others) {
    if (text.length + between.length + part.length > width) break;
    text += between + part;
  }
  return text;
}
