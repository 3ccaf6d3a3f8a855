/** An answer that refuses a request. The service documents no shape of errors; this is the emulator's. */
export class RefusalError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 410 | 416 | 429;
  /** Stable, for programs. */
  readonly code: string;

  constructor(status: RefusalError["status"], code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The body of every answer that refuses. */
export function errorBody(code: string, message: string): { error: { code: string; message: string } } {
  return { error: { code, message } };
}
