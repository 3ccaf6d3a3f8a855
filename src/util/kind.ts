/** Kinds of plays: songs, screen assets and audio messages. */
export const kinds = ["music", "signage", "messaging"] as const;
/** Kinds that campaigns can have. */
export const contentKinds = ["signage", "messaging"] as const satisfies readonly Kind[];

export type Kind = (typeof kinds)[number];

/** Larger ids are rejected everywhere, so that `id * 4 + kind` stays exact as a double. */
export const largestId = 2 ** 51 - 1;
