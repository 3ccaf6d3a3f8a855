import type { Manifest } from "./manifest.ts";
import type { ChangedDay } from "./pending-days.ts";

/** `manifest.json` of a version of `core`. */
export interface CoreManifest extends Manifest {
  /** This version and earlier ones of the same warehouse, oldest first. */
  lineage: CoreVersion[];
  /** Days that changed after the oldest version of the lineage, each with the last version in which it changed. */
  changed_days: (ChangedDay & { version: string })[];
}

interface CoreVersion {
  version: string;
  /** Unique among all warehouses. */
  id: string;
}

/** Maximum number of versions in the lineage of a manifest. */
const maxLineage = 30;

export function isCoreManifest(manifest: Manifest): manifest is CoreManifest {
  const { lineage, changed_days: days } = manifest as Partial<CoreManifest>;
  return Array.isArray(lineage) && lineage.length > 0 && Array.isArray(days);
}

export function getVersionId({ lineage }: CoreManifest): string {
  return lineage.at(-1)?.id ?? "";
}

/** Lists the days that changed after a version; `undefined` if the lineage does not include that version. */
export function listChangedSince(
  { lineage, changed_days: days }: CoreManifest,
  id: string | undefined,
): CoreManifest["changed_days"] | undefined {
  const index = lineage.findIndex((one) => one.id === id);
  if (index < 0) return undefined;
  const later = new Set(lineage.slice(index + 1).map(({ version }) => version));
  return days.filter(({ version }) => later.has(version));
}

/** Adds a version to a lineage. @param previous `undefined` if everything may have changed */
export function continueLineage(
  next: CoreVersion,
  previous: CoreManifest | undefined,
  changed: readonly ChangedDay[],
): Pick<CoreManifest, "lineage" | "changed_days"> {
  if (!previous) return { lineage: [next], changed_days: [] };
  const lineage = [...previous.lineage, next].slice(-maxLineage);
  const earlier = listChangedSince(previous, lineage[0]?.id) ?? [];
  const now = changed.map(({ topic, kind, date }) => ({ topic, kind, date, version: next.version }));
  const byDay = new Map([...earlier, ...now].map((day) => [`${day.topic} ${day.kind} ${day.date}`, day]));
  return { lineage, changed_days: [...byDay.values()] };
}
