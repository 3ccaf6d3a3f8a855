/**
 * What an error means to whoever runs the program; the command line turns it into an exit code.
 *
 * - `usage`: a flag, setting, folder or disk that cannot be used
 * - `service`: the service refused or failed
 * - `damage`: data of ours is damaged
 * - `busy`: another run holds the lock
 */
export type ErrorCategory = "usage" | "service" | "damage" | "busy";

/**
 * A failure that was foreseen. The message states what failed, on what, and the next step; it is shown without a stack.
 * Anything else that is thrown is a bug. A subclass exists only where code catches it by type.
 */
export class VenueError extends Error {
  /** Stable, for programs: `UPPER_SNAKE_CASE`. */
  readonly code: string;
  readonly category: ErrorCategory;

  constructor(code: string, category: ErrorCategory, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.category = category;
  }
}

/** What something that was thrown says: not all that is thrown is an error. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** An error as the cause of another: the HTTP parser's carry the bytes that they failed at, which may hold a secret. */
export function publicCause(error: unknown): unknown {
  if (!(error instanceof Error) || !("data" in error)) return error;
  return Object.assign(new Error(error.message), { code: "code" in error ? error.code : undefined });
}
