import type { CliIo } from "./cli-context.ts";

/** Whether somebody is there who can be asked: what is asked goes to stderr, the answer comes from stdin. */
export function isTerminal({ stdin, stderr }: Pick<CliIo, "stdin" | "stderr">): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** A line that is typed. @returns `undefined` at the end of the input */
export function readLine(stdin: CliIo["stdin"], signal: AbortSignal): Promise<string | undefined> {
  let text = "";
  return listen(stdin, signal, (chunk, end) => {
    text += chunk;
    const length = text.search(/[\r\n]/);
    if (length >= 0) end(text.slice(0, length));
  });
}

/**
 * A line that is typed and not shown. Raw mode keeps the keys from the terminal, so those that edit and interrupt
 * are ours to obey. What is typed before it is on would be shown, so only then is the question asked.
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

/** Everything that is piped in, of a size that a person's input can have. */
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
