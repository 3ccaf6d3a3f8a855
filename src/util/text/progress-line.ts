import { monotonicMs } from "../clock.ts";

/** One line that says how far the work is. */
export interface ProgressLine {
  /**
   * Shows a new state: at once on a terminal, elsewhere at most once per interval.
   * @param parts what matters most first: a terminal shows those that fit on its line
   */
  show(...parts: string[]): void;
  /** Takes the line away (on a terminal), before other output. */
  clear(): void;
}

export interface ProgressLineOptions {
  write(text: string): void;
  isTerminal: boolean;
  /** How wide the terminal is now. @default 80 */
  columns?(): number | undefined;
  /** Writes a whole line where there is no terminal. */
  log(text: string): void;
  /** Between lines where there is no terminal. @default 30_000 */
  intervalMs?: number;
}

export function createProgressLine(options: ProgressLineOptions): ProgressLine {
  return options.isTerminal ? terminalLine(options) : loggedLine(options);
}

const between = "; ";

function terminalLine({ write, columns = () => undefined }: ProgressLineOptions): ProgressLine {
  let isShown = false;
  return {
    show(...parts) {
      // Back to the line's start, the text, and what is left of a longer text before it erased. What fills the last
      // column may move to the next line, from where nothing takes it away.
      write(`\r${joinFitting(parts, (columns() ?? 80) - 1)}\u001b[K`);
      isShown = true;
    },
    clear() {
      if (isShown) write("\r\u001b[K");
      isShown = false;
    },
  };
}

function loggedLine({ log, intervalMs = 30_000 }: ProgressLineOptions): ProgressLine {
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

/** As many parts as fit; the first is cut short before it takes another line. */
function joinFitting([first = "", ...others]: readonly string[], width: number): string {
  let text = first.slice(0, width);
  for (const part of others) {
    if (text.length + between.length + part.length > width) break;
    text += between + part;
  }
  return text;
}
