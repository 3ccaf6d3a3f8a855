import { setMaxListeners } from "node:events";

/** Returns a signal that aborts when any source does. Call `unlink` afterwards to remove the listeners. */
export function linkSignals(...sources: (AbortSignal | undefined)[]): {
  signal: AbortSignal;
  unlink(): void;
} {
  const controller = new AbortController();
  const abort = (event: Event) => controller.abort((event.target as AbortSignal).reason);
  for (const source of sources) {
    if (source === undefined) continue;
    if (source.aborted) controller.abort(source.reason);
    // Disables Node's leak warning, because many requests may share one signal.
    setMaxListeners(0, source);
    source.addEventListener("abort", abort, { once: true });
  }
  return {
    signal: controller.signal,
    unlink: () => {
      for (const source of sources) source?.removeEventListener("abort", abort);
    },
  };
}

/** Awaits a promise, but throws the signal's reason as soon as the signal aborts. */
export async function awaitUnlessAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    promise.catch(() => undefined);
  }
}
