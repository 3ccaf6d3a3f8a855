import { isUnencrypted, toHttpUrl } from "../../util/http-values.ts";
import { ClientOptionError } from "../errors.ts";

/** Where the service is: what may be asked there, and what may be told there. */
export class ServiceAddress {
  readonly origin: string;
  /** `host:port`, for messages. */
  readonly host: string;
  /** Requests to it can be read on the network: plain http to another machine. */
  readonly isUnencrypted: boolean;
  /** Path of the versioned root, without a slash at its end. */
  readonly #root: string;

  /** @throws {ClientOptionError} when it is no http or https URL */
  constructor(baseUrl: string | URL) {
    const url = toHttpUrl(baseUrl);
    if (!url) {
      throw new ClientOptionError(
        "The root of an API has to be an http or https URL, with http:// or https://.",
      );
    }
    this.origin = url.origin;
    this.host = url.host;
    this.isUnencrypted = isUnencrypted(url);
    this.#root = url.pathname.replace(/\/+$/, "");
  }

  /** The absolute path of one that is relative to the base URL. */
  pathTo(relativePath: string): string {
    return `${this.#root}/${relativePath}`;
  }

  /** A link of the service's, which may be relative to the base URL. */
  resolve(link: string): string {
    return URL.canParse(link) ? link : new URL(link, `${this}/`).href;
  }

  /** Whether a request goes to the service itself, so that it may carry the access token. */
  owns(origin: string | URL | undefined, path: string): boolean {
    if (origin === undefined || new URL(origin).origin !== this.origin) return false;
    // Not relative to the origin: a path that begins with two slashes would name another one.
    const { pathname } = new URL(`${this.origin}${path}`);
    return pathname.startsWith(`${this.#root}/`);
  }

  /** Names the service in `client.db`. */
  toString(): string {
    return `${this.origin}${this.#root}`;
  }
}

/**
 * A text as one segment of a path, whatever is in it.
 * @throws {RangeError} when no encoding can make it one: `.` and `..` mean other folders even when encoded
 */
export function pathSegment(text: string): string {
  if (text === "" || text === "." || text === "..") {
    throw new RangeError(`${JSON.stringify(text)} can't be part of a path`);
  }
  return encodeURIComponent(text);
}
