import { setMaxListeners } from "node:events";

/** A signal that is aborted when one of several is; `unlink` ends that, so that long-lived ones keep no trace. */
export function linkSignals(...sources: (AbortSignal | undefined)[]): {
  signal: AbortSignal;
  unlink(): void;
} {
  const controller = new AbortController();
  const abort = (event: Event) => controller.abort((event.target as AbortSignal).reason);
  for (const source of sources) {
    if (source === undefined) continue;
    if (source.aborted) controller.abort(source.reason);
    // Many requests may wait on one signal: that is no leak, and Node need not warn of one.
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

/** What the promise brings, unless the signal is aborted before: then its reason is thrown at once. */
export async function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
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
