/** What must never be shown: knows the secrets in use, and blanks them in texts that come from elsewhere. */
export class Secrets {
  readonly #values = new Set<string>();

  add(secret: string): void {
    if (secret === "") return;
    this.#values.add(secret);
    // Half a character can't be encoded; in an address it stands as U+FFFD.
    this.#values.add(encodeURIComponent(Buffer.from(secret).toString()));
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
