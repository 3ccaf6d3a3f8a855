/** What a play was: a song, a screen asset or an audio message. */
export const kinds = ["music", "signage", "messaging"] as const;
export type Kind = (typeof kinds)[number];
