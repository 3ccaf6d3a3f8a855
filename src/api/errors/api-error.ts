import { VenueError } from "../../util/venue-error.ts";

/** What was asked of the service; of a path that would show a secret, only the harmless part. */
export interface RequestTarget {
  method: string;
  /** Relative to the base URL, e.g. `ext/devices/status?group_id=7`. */
  path: string;
  /** What led there. @default "base" */
  root?: RequestRoot;
}

/** The base URL, the root of the status API, or a download link. */
export type RequestRoot = "base" | "status" | "link";

const rootNames: Record<RequestRoot, string> = {
  base: "the base URL",
  status: "the status URL (VENUE_STATUS_URL)",
  link: "the link",
};

/** What to check when a request went to the wrong place. */
export function rootName({ root = "base" }: Pick<RequestTarget, "root">): string {
  return rootNames[root];
}

/** The service refused, failed or could not be reached. Never holds headers, bodies or secrets. */
export abstract class ApiError extends VenueError {
  readonly category = "service";
  readonly method: string;
  readonly path: string;

  constructor({ method, path }: RequestTarget, message: string, options?: ErrorOptions) {
    super(message, options);
    this.method = method;
    this.path = path;
  }
}

export function describe({ method, path }: RequestTarget): string {
  return `${method} ${path}`;
}
