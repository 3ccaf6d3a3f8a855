/** What a play was: a song, a screen asset or an audio message. */
export const kinds = ["music", "signage", "messaging"] as const;
/** Kinds that campaigns play. */
export const contentKinds = ["signage", "messaging"] as const satisfies readonly Kind[];

export type Kind = (typeof kinds)[number];
