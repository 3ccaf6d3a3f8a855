/** Grace period in which readers may still use files that were replaced, in milliseconds. */
export const retentionMs = 10 * 60_000;

/** Age at which an object in a store that nothing names counts as left by a killed upload, in milliseconds. */
export const abandonedMs = 24 * 3_600_000;
