/** Kinds of plays: a song, a screen asset or an audio message. */
export const kinds = ["music", "signage", "messaging"] as const;
/** Kinds that campaigns play. */
export const contentKinds = ["signage", "messaging"] as const satisfies readonly Kind[];

export type Kind = (typeof kinds)[number];

/** Larger ids are rejected everywhere, so that `id * 4 + kind` stays exact as a double. */
export const largestId = 2 ** 51 - 1;
