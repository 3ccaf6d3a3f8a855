/** One line that says how far the work is. */
export interface ProgressLine {
  /** Shows a new state: at once on a terminal, elsewhere at most once per interval. */
  show(text: string): void;
  /** Takes the line away (on a terminal), before other output. */
  clear(): void;
}

export interface ProgressLineOptions {
  write(text: string): void;
  isTerminal: boolean;
  /** Writes a whole line where there is no terminal. */
  log(text: string): void;
  /** Between lines where there is no terminal. @default 30_000 */
  intervalMs?: number;
}

export function createProgressLine(options: ProgressLineOptions): ProgressLine {
  return options.isTerminal ? terminalLine(options) : loggedLine(options);
}

function terminalLine({ write }: ProgressLineOptions): ProgressLine {
  let isShown = false;
  return {
    show(text) {
      // Back to the line's start, the text, and what is left of a longer text before it erased.
      write(`\r${text}\u001b[K`);
      isShown = true;
    },
    clear() {
      if (isShown) write("\r\u001b[K");
      isShown = false;
    },
  };
}

function loggedLine({ log, intervalMs = 30_000 }: ProgressLineOptions): ProgressLine {
  let lastAt = Date.now();
  return {
    show(text) {
      if (Date.now() - lastAt < intervalMs) return;
      lastAt = Date.now();
      log(text);
    },
    clear() {},
  };
}
