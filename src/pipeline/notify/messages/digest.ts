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

/** The content of a message in the outbox, as JSON. */
export interface Content {
  digest: Digest;
  /** Rules whose files a mail carries; they are made when it is sent. */
  attach: readonly string[];
}

/** Parses the content of a message. Earlier versions stored files instead of `attach`. */
export function parseContent(json: string): Content {
  const { digest, attach = [] } = JSON.parse(json) as Pick<Content, "digest"> & Partial<Content>;
  return { digest, attach };
}
