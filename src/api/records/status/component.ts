import { z } from "zod";
import { text, wholeNumber } from "../lenient.ts";
import { countedLink } from "./status-page.ts";

export const component = z.looseObject({
  id: wholeNumber,
  /** `operational`, `degraded` or `under-maintenance`. */
  state: text.nullish(),
  name: text.nullish(),
  description: text.nullish(),
  /** `null` at the top level. */
  parent_id: wholeNumber.nullish(),
  /** In listings only. */
  links: z.looseObject({ children: countedLink.nullish() }).nullish(),
  /** ISO 8601, UTC. */
  created_at: text.nullish(),
  /** ISO 8601, UTC. */
  updated_at: text.nullish(),
});

/** A part of the service whose state is published. */
export type Component = z.output<typeof component>;
