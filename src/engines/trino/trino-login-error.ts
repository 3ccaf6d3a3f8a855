import { VenueError } from "../../util/venue-error.ts";

/** Trino does not let this user in. */
export class TrinoLoginError extends VenueError {
  override readonly name = "TrinoLoginError";
  readonly code = "TRINO_LOGIN";
  readonly category = "service";
  readonly user: string;

  /** @param answer what Trino said of it */
  constructor(origin: string, user: string, answer: string) {
    const said = answer.trim().slice(0, 200);
    super(
      `Trino at ${origin} refuses the user ${JSON.stringify(user)}${said && !said.startsWith("<") ? ` (${said})` : ""}. ` +
        "Check the user, and the password or token.",
    );
    this.user = user;
  }
}
