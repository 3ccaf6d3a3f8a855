import { z } from "zod";
import { text, wholeNumber } from "../lenient.ts";

/** Where there is more, and how much. `href` is taken as given: it may lack `/api`, or begin with `/v1/`. */
export const countedLink = z.looseObject({ href: text.nullish(), count: wholeNumber.nullish() });

export const statusPage = z.looseObject({
  /** `operational`, `degraded` or `under-maintenance`. */
  state: text,
  name: text.nullish(),
  state_text: text.nullish(),
  url: text.nullish(),
  links: z.looseObject({ components: countedLink.nullish(), notices: countedLink.nullish() }).nullish(),
  /** ISO 8601, UTC. */
  created_at: text.nullish(),
  /** ISO 8601, UTC. */
  updated_at: text.nullish(),
});

/** The state of the service as a whole. */
export type StatusPage = z.output<typeof statusPage>;
