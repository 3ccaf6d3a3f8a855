/** Kinds of plays: a song, a screen asset or an audio message. */
export const kinds = ["music", "signage", "messaging"] as const;
/** Kinds that campaigns play. */
export const contentKinds = ["signage", "messaging"] as const satisfies readonly Kind[];

export type Kind = (typeof kinds)[number];

/**
 * Larger ids are rejected wherever they are given or read, so that `id * 4 + kind` stays exact in every tool
 * that reads numbers as doubles.
 */
export const largestId = 2 ** 51 - 1;
