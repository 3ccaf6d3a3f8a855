export interface Mailbox {
  /** Shown to readers; may be empty. */
  name: string;
  address: string;
}

/** Parses `a@example.com` or `Name <a@example.com>`; returns `undefined` for anything else. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, name = "", inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = inBrackets ?? text.trim();
  if (!isMailAddress(address) || /\p{Cc}/u.test(name)) return undefined;
  return { name: name.trim().replace(/^"(.*)"$/, "$1"), address };
}

/** Rejects quotes, comments and lists, so that an address can't inject text into a header or command. */
export function isMailAddress(text: string): boolean {
  return (
    text.length <= 254 &&
    /^[^\s\p{Cc}\p{Cf}@<>()[\]\\,;:"]{1,64}@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u.test(text)
  );
}
