import { UnexpectedResponseError } from "./unexpected-response-error.ts";

/** A server sent another part of a file than the one that was asked for, or does not say which. */
export class WrongPartError extends UnexpectedResponseError {}
