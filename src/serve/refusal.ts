/** A request that is not answered with a page. The message is shown to whoever asked. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: 400 | 401 | 403 | 404 | 405 | 421 | 429 | 503;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: Refusal["status"], message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
