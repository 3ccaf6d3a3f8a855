import { z } from "zod";
import { maybeRecord, maybeText, maybeWholeNumber, wholeNumber } from "../lenient.ts";
import { countedLink } from "./status-page.ts";

export const component = z.looseObject({
  id: wholeNumber,
  /** `operational`, `degraded` or `under-maintenance`. */
  state: maybeText,
  name: maybeText,
  description: maybeText,
  /** `null` at the top level. */
  parent_id: maybeWholeNumber,
  /** In listings only. */
  links: maybeRecord(z.looseObject({ children: maybeRecord(countedLink) })),
  /** ISO 8601, UTC. */
  created_at: maybeText,
  /** ISO 8601, UTC. */
  updated_at: maybeText,
});

/** A part of the service whose state is published. */
export type Component = z.output<typeof component>;
