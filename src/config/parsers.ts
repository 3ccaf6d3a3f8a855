import { isUrl, toHttpUrl } from "../util/http-values.ts";
import { largestId } from "../util/kind.ts";
import { isLocalDate } from "../util/local-date.ts";
import { type Mailbox, parseMailbox } from "../util/text/mail-address.ts";
import { parseHours } from "../util/text/words.ts";

export interface Parser<Value> {
  /** Description of accepted values for messages; completes “It takes …”. */
  accepted: string;
  /** The accepted values, if there is a fixed set of them. */
  words?: readonly string[];
  /** Returns `undefined` for invalid text. */
  parse(text: string): Value | undefined;
}

export const text: Parser<string> = { accepted: "any text", parse: (text) => text };

/** Rejected, because only shells expand these: otherwise, a folder with the literal name would be created. */
const unexpanded = /^(~|\$HOME|\$\{HOME\})(\/|$)/;

/** A path. A relative path is resolved against the working folder. */
export const path: Parser<string> = {
  accepted: "a path on this machine, not a URL; ~ and $HOME are not expanded here, so write the full path",
  parse: (text) => (unexpanded.test(text) || isUrl(text) ? undefined : text),
};

/** A path, or the URL of a prefix in S3. */
export const storePlace: Parser<string> = {
  accepted:
    "a path on this machine or s3://bucket/prefix; ~ and $HOME are not expanded here, so write the full path",
  parse: (text) => (/^s3:\/\/./i.test(text) ? text : path.parse(text)),
};

export const urlWithQuery: Parser<URL> = {
  accepted: "an http or https URL without user or fragment",
  parse(text) {
    const url = toHttpUrl(text);
    return url && !url.hash && !url.username && !url.password ? url : undefined;
  },
};

export const httpUrl: Parser<URL> = {
  accepted: "an http or https URL without user, query or fragment",
  parse(text) {
    const url = urlWithQuery.parse(text);
    return url?.search === "" ? url : undefined;
  },
};

/** A URL, without its trailing slash, because state is keyed by it and users may write it either way. */
export const serviceUrl: Parser<URL> = {
  ...httpUrl,
  parse(text) {
    const url = httpUrl.parse(text);
    if (url) url.pathname = url.pathname.replace(/\/+$/, "");
    return url;
  },
};

/** The user name, if any, is percent-encoded. */
export const smtpUrl: Parser<URL> = {
  accepted:
    "smtp://user@host:587 or smtps://user@host:465, without a password (set VENUE_SMTP_PASSWORD_FILE)",
  parse(text) {
    if (!/^smtps?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
    const url = new URL(text);
    const rest = url.pathname.replace("/", "") + url.search + url.hash + url.password;
    return url.hostname && rest === "" && isPercentEncoded(url.username) ? url : undefined;
  },
};

export const mailbox: Parser<Mailbox> = {
  accepted: "a mail address, such as venue@example.com or Venue <venue@example.com>",
  parse: parseMailbox,
};

export const words: Parser<string[]> = {
  accepted: "words, separated by commas",
  parse: (text) => nonEmpty(splitList(text)),
};

export const ids: Parser<number[]> = {
  accepted: "whole numbers from 0, separated by commas",
  parse(text) {
    const list = splitList(text);
    return list.every(isId) ? nonEmpty([...new Set(list.map(Number))]) : undefined;
  },
};

/** Requests per second; may be a fraction. */
export const rate: Parser<number> = {
  accepted: "a number from 0.001 to 1000",
  parse: (text) => (/^\d+(\.\d+)?$/.test(text) ? parseInRange(Number(text), 0.001, 1000) : undefined),
};

export const share: Parser<number> = {
  accepted: "a number from 0 to 1, such as 0.95",
  parse: (text) => (/^\d*\.?\d+$/.test(text) ? parseInRange(Number(text), 0, 1) : undefined),
};

export function wholeNumber(minimum: number, maximum: number): Parser<number> {
  return {
    accepted: `a whole number from ${minimum} to ${maximum}`,
    parse: (text) => (/^\d{1,9}$/.test(text) ? parseInRange(Number(text), minimum, maximum) : undefined),
  };
}

export const memorySize: Parser<string> = {
  accepted: "a size such as 600MB or 2GB",
  // The number of digits is limited, because DuckDB stores the number of bytes in 64 bits.
  parse: (text) => (/^(\d{1,9}(\.\d+)?\s*[KMG]|\d{1,6}(\.\d+)?\s*T)i?B$/i.test(text) ? text : undefined),
};

export const timeZone: Parser<string> = {
  accepted: "a name of the IANA time zone database, such as Europe/Berlin or UTC",
  parse: (text) => (isTimeZone(text) ? text : undefined),
};

export const instant: Parser<Date> = {
  accepted: "an ISO 8601 instant with its offset, such as 2026-11-21T06:00:00Z",
  parse(text) {
    const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
    // Date.parse would read 30 February as 2 March, so the date is checked first.
    if (!isInstant || !isLocalDate(text.slice(0, 10))) return undefined;
    return Number.isNaN(Date.parse(text)) ? undefined : new Date(text);
  },
};

/** Five fields, as in a crontab. The values are checked where the pattern is used. */
export const cronPattern: Parser<string> = {
  accepted: "five cron fields (minute, hour, day, month, weekday), such as 30 5 * * *",
  parse: (text) => (/^[\dA-Za-z*,/#-]+( +[\dA-Za-z*,/#-]+){4}$/.test(text) ? text : undefined),
};

/** Topics of `VENUE_FRESHNESS`. */
const freshTopics = ["history", "devices", "campaigns", "assets", "status"];

/** Hours by topic, e.g. `history=30h,status=90m`. */
export const freshness: Parser<Record<string, number>> = {
  accepted: `topic=age, separated by commas, with ${freshTopics.join(", ")} and ages such as 30h, 90m or 2d`,
  parse(text) {
    const limits: Record<string, number> = {};
    for (const part of splitList(text)) {
      const [, topic = "", age = ""] = /^(\w+)=(\w+)$/.exec(part) ?? [];
      const hours = parseHours(age);
      if (hours === undefined || !freshTopics.includes(topic) || topic in limits) return undefined;
      limits[topic] = hours;
    }
    return limits;
  },
};

export function oneOf<const Word extends string>(...accepted: Word[]): Parser<Word> {
  return {
    accepted: accepted.join(" or "),
    words: accepted,
    parse: (text) => accepted.find((word) => word === text),
  };
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function nonEmpty<Value>(list: Value[]): Value[] | undefined {
  return list.length > 0 ? list : undefined;
}

function parseInRange(value: number, minimum: number, maximum: number): number | undefined {
  return value >= minimum && value <= maximum ? value : undefined;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isId(text: string): boolean {
  return /^\d{1,16}$/.test(text) && Number(text) <= largestId;
}

function isTimeZone(text: string): boolean {
  // Skips the lookup for the default, because it takes longer than starting the rest of the program.
  if (text === "UTC") return true;
  // Node 22 and newer accept an offset as a time zone, but DuckDB rejects it.
  if (/^[+-]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
