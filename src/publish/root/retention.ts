/** Grace period in which readers may still use a version that was replaced, in milliseconds. */
export const retentionMs = 10 * 60_000;

/** Age at which a version that was never shown counts as left by a killed publish, in milliseconds. */
export const abandonedMs = 24 * 3_600_000;

/** Replaced versions kept regardless of age. With the current version that makes three. */
const keptVersions = 2;

interface ReplacedVersion {
  folder: string;
  /** `undefined` if the version was replaced last. */
  replacedAt: Date | undefined;
}

/**
 * Separates replaced versions that are kept from those that no reader can still be using.
 * @param replaced newest first
 */
export function separateExpired(
  replaced: readonly ReplacedVersion[],
  now: Date,
): { kept: string[]; expired: string[] } {
  const isKept = ({ replacedAt }: ReplacedVersion, index: number) =>
    index < keptVersions || replacedAt === undefined || now.getTime() - replacedAt.getTime() <= retentionMs;
  return {
    kept: replaced.filter(isKept).map(({ folder }) => folder),
    expired: replaced.filter((one, index) => !isKept(one, index)).map(({ folder }) => folder),
  };
}
