import { z } from "zod";
import { maybeRecord, maybeText, maybeWholeNumber, text } from "../lenient.ts";

/** Where there is more, and how much. `href` is taken as given: it may lack `/api`, or begin with `/v1/`. */
export const countedLink = z.looseObject({ href: maybeText, count: maybeWholeNumber });

export const statusPage = z.looseObject({
  /** `operational`, `degraded` or `under-maintenance`. */
  state: text,
  name: maybeText,
  state_text: maybeText,
  url: maybeText,
  links: maybeRecord(
    z.looseObject({ components: maybeRecord(countedLink), notices: maybeRecord(countedLink) }),
  ),
  /** ISO 8601, UTC. */
  created_at: maybeText,
  /** ISO 8601, UTC. */
  updated_at: maybeText,
});

/** The state of the service as a whole. */
export type StatusPage = z.output<typeof statusPage>;
