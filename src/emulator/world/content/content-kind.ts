import type { Kind } from "../../../util/kind.ts";

/** The kinds that have assets and campaigns. */
export type ContentKind = Exclude<Kind, "music">;
