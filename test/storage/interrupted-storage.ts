import type { Storage } from "../../src/storage/storage.ts";

/** Wraps a storage so that a function, which may throw, runs before each call. */
export function interrupted(
  storage: Storage,
  step: (method: string, key: unknown) => void | Promise<void>,
): Storage {
  return new Proxy(storage, {
    get(object, name) {
      const value = object[name as keyof Storage];
      if (typeof value !== "function") return value;
      const method = value.bind(object) as (...values: unknown[]) => unknown;
      if (name === "addressOf" || name === "list" || name === "listUploads") return method;
      return async (...values: unknown[]) => {
        await step(String(name), values[0]);
        return await method(...values);
      };
    },
  });
}
