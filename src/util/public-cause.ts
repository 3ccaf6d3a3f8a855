/** An error as the cause of another: the HTTP parser's carry the bytes that they failed at, which may hold a secret. */
export function publicCause(error: unknown): unknown {
  if (!(error instanceof Error) || !("data" in error)) return error;
  return Object.assign(new Error(error.message), { code: "code" in error ? error.code : undefined });
}
