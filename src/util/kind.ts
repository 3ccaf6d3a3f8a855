/** Kinds of plays: songs, screen assets and audio messages. */
export const kinds = ["music", "signage", "messaging"] as const;
/** Kinds that campaigns can have. */
export const contentKinds = ["signage", "messaging"] as const satisfies readonly Kind[];

export type Kind = (typeof kinds)[number];

/** Maximum id. Larger ids are rejected everywhere, so that keys are exact as doubles. */
export const largestId = 2 ** 51 - 1;

/** Returns the key of a campaign or item, as the SQL of `dim_campaign` and `dim_item` computes it. */
export function encodeKey(kind: Kind, id: number): number {
  return id * 4 + kinds.indexOf(kind);
}

export function decodeKey(key: number): { kind: Kind | undefined; id: number } {
  return { kind: kinds[key % 4], id: Math.floor(key / 4) };
}
