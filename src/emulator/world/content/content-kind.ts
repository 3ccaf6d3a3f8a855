import type { Kind } from "../../../util/kind.ts";

/** Kinds that have assets and campaigns. */
export type ContentKind = Exclude<Kind, "music">;
