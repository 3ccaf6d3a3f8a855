import { isUnencrypted, toHttpUrl } from "../../util/http-values.ts";
import { clientOptionError } from "../errors.ts";

/** The root URL of an API. Requests and their access tokens go only to its origin. */
export class ServiceAddress {
  readonly origin: string;
  /** `host:port`, for messages. */
  readonly host: string;
  /** True for plain http to another machine: others on the network can then read requests. */
  readonly isUnencrypted: boolean;
  /** Path of the versioned root, without a trailing slash. */
  readonly #root: string;

  /** @throws {VenueError} `CLIENT_OPTION_UNUSABLE` if it isn't an http or https URL */
  constructor(baseUrl: string | URL) {
    const url = toHttpUrl(baseUrl);
    if (!url) {
      throw clientOptionError("The root URL of an API must start with http:// or https://.");
    }
    this.origin = url.origin;
    this.host = url.host;
    this.isUnencrypted = isUnencrypted(url);
    this.#root = url.pathname.replace(/\/+$/, "");
  }

  /** Converts a path relative to the base URL into an absolute path. */
  pathTo(relativePath: string): string {
    return `${this.#root}/${relativePath}`;
  }

  /** Resolves a link from the service, which may be relative to the base URL. */
  resolve(link: string): string {
    return URL.canParse(link) ? link : new URL(link, `${this}/`).href;
  }

  /** Identifies the service in `client.db`. */
  toString(): string {
    return `${this.origin}${this.#root}`;
  }
}

/**
 * Encodes text as one path segment.
 * @throws {RangeError} for `.` and `..`, which mean other folders even if encoded
 */
export function pathSegment(text: string): string {
  if (text === "" || text === "." || text === "..") {
    throw new RangeError(`${JSON.stringify(text)} can't be part of a path`);
  }
  return encodeURIComponent(text);
}
