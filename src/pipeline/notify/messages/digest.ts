/** A message to one recipient with everything that one run found for that recipient. */
export interface Digest {
  /** First line of the message, and the subject of a mail. */
  headline: string;
  sections: readonly DigestSection[];
  /** Age of the data, as a sentence. */
  age: string;
  /** A sentence that names the person who can stop the messages. */
  stop: string;
}

/** The part of a digest about one rule of `notify.csv`. */
export interface DigestSection {
  /** Name of the rule. */
  rule: string;
  /** E.g. `Compliance by campaign and zone`. */
  title: string;
  /** The view's answer in a sentence. */
  verdict: string;
  tables: readonly DigestTable[];
  /** Address of the view's page; absent without `VENUE_PUBLIC_URL`. */
  link?: string;
  notes: readonly string[];
}

/** At most 20 rows, most urgent first. */
export interface DigestTable {
  /** Absent if the rule sends its whole view. */
  change?: "new" | "open" | "over";
  /** Column labels. */
  columns: readonly string[];
  /** Formatted values. */
  rows: readonly (readonly string[])[];
  /** Number of rows left out. */
  omitted: number;
}

export interface Attachment {
  fileName: string;
  /** Media type. */
  type: string;
  content: Uint8Array;
}

/** Serializes a message for the outbox. */
export function packContent(digest: Digest, attachments: readonly Attachment[]): string {
  const packed = attachments.map((attachment) => ({
    ...attachment,
    content: Buffer.from(attachment.content).toString("base64"),
  }));
  return JSON.stringify({ digest, attachments: packed });
}

/** Parses text that `packContent` returned. */
export function unpackContent(content: string): { digest: Digest; attachments: Attachment[] } {
  const { digest, attachments } = JSON.parse(content) as {
    digest: Digest;
    attachments: (Omit<Attachment, "content"> & { content: string })[];
  };
  return {
    digest,
    attachments: attachments.map((attachment) => ({
      ...attachment,
      content: Buffer.from(attachment.content, "base64"),
    })),
  };
}
