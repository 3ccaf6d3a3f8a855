/**
 * Category of an error for users; the command line maps it to an exit code.
 *
 * - `usage`: a flag, setting, folder or disk that cannot be used
 * - `service`: the service refused or failed
 * - `damage`: local data is damaged
 * - `busy`: another run holds the lock
 */
export type ErrorCategory = "usage" | "service" | "damage" | "busy";

/**
 * An expected failure. The message contains the failure, its object and the next step, and is shown without a
 * stack trace. Anything else thrown is a bug. A subclass exists only if code catches it by type.
 */
export class VenueError extends Error {
  /** Stable identifier for programs, in `UPPER_SNAKE_CASE`. */
  readonly code: string;
  readonly category: ErrorCategory;

  constructor(code: string, category: ErrorCategory, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.category = category;
  }
}

/** Returns the message of any thrown value, even if it is not an error. */
export function getErrorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns an error that is safe as a `cause`, without the HTTP parser's data, which may contain a secret. */
export function toPublicCause(error: unknown): unknown {
  if (!(error instanceof Error) || !("data" in error)) return error;
  return Object.assign(new Error(error.message), { code: "code" in error ? error.code : undefined });
}
