import { ServiceRefusedError } from "./service-refused-error.ts";

/** The service knows no such group, zone, job …: status 404. */
export class NotFoundError extends ServiceRefusedError {
  override readonly name = "NotFoundError";
  override readonly code = "NOT_FOUND";
}
