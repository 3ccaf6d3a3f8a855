/** What must never be shown: knows the secrets in use, and blanks them in texts that come from elsewhere. */
export class Secrets {
  readonly #values = new Set<string>();

  add(secret: string): void {
    if (secret === "") return;
    this.#values.add(secret);
    this.#values.add(encodeURIComponent(secret));
    this.#values.add(JSON.stringify(secret).slice(1, -1));
  }

  occurIn(text: string): boolean {
    return [...this.#values].some((value) => text.includes(value));
  }

  redact(text: string): string {
    let redacted = text;
    // The longest first: one may contain another.
    for (const value of [...this.#values].sort((a, b) => b.length - a.length)) {
      redacted = redacted.replaceAll(value, "[hidden]");
    }
    return redacted.replace(/\bBearer\s+[^\s"',;]+/gi, "Bearer [hidden]");
  }
}
