import type { CliIo } from "./cli-context.ts";

/** Returns true if a person can read questions on stderr and type answers on stdin. */
export function isTerminal({ stdin, stderr }: Pick<CliIo, "stdin" | "stderr">): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Reads a typed line. @returns `undefined` at the end of the input */
export function readLine(stdin: CliIo["stdin"], signal: AbortSignal): Promise<string | undefined> {
  let text = "";
  return listen(stdin, signal, (chunk, end) => {
    text += chunk;
    const length = text.search(/[\r\n]/);
    if (length >= 0) end(text.slice(0, length));
  });
}

/**
 * Reads a typed line without showing it. Raw mode bypasses the terminal's line editing, so the editing and
 * interrupt keys are handled here. The question appears only after raw mode is on, because anything typed
 * earlier would be shown.
 * @param interrupt called for Ctrl-C
 */
export async function readHiddenLine(
  { stdin, stderr }: Pick<CliIo, "stdin" | "stderr">,
  question: string,
  { signal, interrupt }: { signal: AbortSignal; interrupt: () => void },
): Promise<string | undefined> {
  let text = "";
  stdin.setRawMode?.(true);
  try {
    stderr.write(question);
    return await listen(stdin, signal, (chunk, end) => {
      for (const key of chunk) {
        if (key === "\r" || key === "\n") return end(text);
        if (key === "\u0003") return interrupt();
        if (key === "\u0004" && text === "") return end(undefined);
        if (key === "\u007f" || key === "\b") text = text.slice(0, -1);
        else if (key === "\u0015") text = "";
        else text += key;
      }
    });
  } finally {
    stdin.setRawMode?.(false);
    stderr.write("\n");
  }
}

/** Reads all piped input. @returns `undefined` if it is longer than `limitBytes` */
export async function readAll(
  stdin: CliIo["stdin"],
  signal: AbortSignal,
  limitBytes: number,
): Promise<string | undefined> {
  let text = "";
  const cut = await listen(stdin, signal, (chunk, end) => {
    text += chunk;
    if (text.length > limitBytes) end("too long");
  });
  return cut === undefined ? text : undefined;
}

function listen(
  stdin: CliIo["stdin"],
  signal: AbortSignal,
  take: (chunk: string, end: (result: string | undefined) => void) => void,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      stdin.off("data", onData).off("end", onEnd).off("error", fail);
      signal.removeEventListener("abort", onAbort);
      stdin.pause();
    };
    const end = (result: string | undefined) => {
      stop();
      resolve(result);
    };
    const fail = (error: unknown) => {
      stop();
      reject(error);
    };
    const onAbort = () => fail(signal.reason);
    const onEnd = () => end(undefined);
    const onData = (chunk: Buffer | string) => take(chunk.toString(), end);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    stdin.on("data", onData).once("end", onEnd).once("error", fail);
    stdin.resume();
  });
}
