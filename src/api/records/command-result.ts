import { z } from "zod";

/** Objects are documented as empty; one that says more is taken for done unless it tells of a failure. */
const harmlessObject = z.looseObject({
  error: z.null().optional(),
  errors: z.null().optional(),
  success: z.literal(true).optional(),
});

/** What a command answers once it is carried out: `true`, or an empty object. */
const commandResult: z.ZodType<void> = z
  .union([z.literal(true), harmlessObject], { error: "is neither true nor an empty object" })
  .transform(() => undefined);

/** How a request for a command is answered: no content (204) says that it is carried out, too. */
export const commandAnswer = { answer: commandResult, noContent: true };
