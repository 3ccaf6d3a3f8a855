import { randomUUID } from "node:crypto";
import { conditionsIgnoredError, StorageConflictError } from "./errors.ts";
import { abandonedMs, type Condition, type ObjectInfo, type Storage } from "./storage.ts";

/** Keys of test objects. */
const probeForm = /^probe-[0-9a-f-]{36}$/;

/**
 * Asserts, with a small test object, that the store refuses writes whose condition does not hold. Some stores accept
 * the headers but ignore them.
 * @throws {VenueError} `STORAGE_CONDITIONS_IGNORED`, or the store's error
 */
export async function assertConditional(storage: Storage): Promise<void> {
  const key = `probe-${randomUUID()}`;
  try {
    const first = await storage.put(key, `${key} 1`, { ifNoneMatch: "*" });
    if (!(await isRefused(storage, key, { ifNoneMatch: "*" })))
      throw conditionsIgnoredError(storage.location);
    await storage.put(key, `${key} 2`, { ifMatch: first });
    if (!(await isRefused(storage, key, { ifMatch: first }))) throw conditionsIgnoredError(storage.location);
  } catch (error) {
    // Ignores errors, because the first error (such as a missing permission) is the one to report.
    await storage.delete([key]).catch(() => undefined);
    throw error;
  }
  await storage.delete([key, ...(await listAbandoned(storage, key))]);
}

/** Lists test objects of killed processes. Ages are measured by the store's clock. */
async function listAbandoned(storage: Storage, own: string): Promise<string[]> {
  const probes: ObjectInfo[] = [];
  for await (const object of storage.list("probe-")) if (probeForm.test(object.key)) probes.push(object);
  const now = probes.find(({ key }) => key === own)?.modifiedAt.getTime() ?? 0;
  return probes.filter(({ modifiedAt }) => now - modifiedAt.getTime() > abandonedMs).map(({ key }) => key);
}

async function isRefused(storage: Storage, key: string, condition: Condition): Promise<boolean> {
  try {
    await storage.put(key, randomUUID(), condition);
    return false;
  } catch (error) {
    if (error instanceof StorageConflictError) return true;
    throw error;
  }
}
