/** A message to one recipient about everything that one run found for it. */
export interface Digest {
  /** Also the subject of a mail. */
  headline: string;
  sections: readonly DigestSection[];
  /** How current the data is, as a sentence. */
  age: string;
  /** Whom to ask to stop the messages, as a sentence. */
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
  /** Labels for readers. */
  columns: readonly string[];
  /** Values for readers. */
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

/** Writes a message for the outbox. */
export function packContent(digest: Digest, attachments: readonly Attachment[]): string {
  const packed = attachments.map((attachment) => ({
    ...attachment,
    content: Buffer.from(attachment.content).toString("base64"),
  }));
  return JSON.stringify({ digest, attachments: packed });
}

/** Reads what `packContent` wrote. */
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
