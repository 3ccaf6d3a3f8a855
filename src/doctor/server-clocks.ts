import diagnosticsChannel from "node:diagnostics_channel";
import { parseHttpDate } from "../util/http-values.ts";
import { VenueError } from "../util/venue-error.ts";

/** Further apart than any network makes two clocks look. */
const tolerableMs = 60_000;

interface Headers {
  response: { headers: Buffer[] };
}

/**
 * Compares the clocks of servers with ours, from the Date headers of the answers that come while it watches: no
 * request is spent on it. Undici publishes the headers of each answer.
 * @returns how far each server's clock was ahead of ours, in milliseconds; grows
 */
export function watchServerClocks(): { offsets: number[]; stop(): void } {
  const offsets: number[] = [];
  const onHeaders = (message: unknown) => {
    const { headers } = (message as Headers).response;
    const names = headers.map((header) => header.toString("latin1").toLowerCase());
    // Names and values take turns.
    const index = names.findIndex((name, position) => position % 2 === 0 && name === "date");
    const instant = index >= 0 ? parseHttpDate(headers[index + 1]?.toString("latin1")) : undefined;
    if (instant !== undefined) offsets.push(instant - Date.now());
  };
  diagnosticsChannel.subscribe("undici:request:headers", onHeaders);
  return { offsets, stop: () => diagnosticsChannel.unsubscribe("undici:request:headers", onHeaders) };
}

/** @throws {ClockError} when ours and theirs are further apart than answers take */
export function checkClock(offsets: readonly number[]): string {
  const [nearest] = [...offsets].sort((a, b) => Math.abs(a) - Math.abs(b));
  if (nearest === undefined) return "not compared: no answer told the service's time";
  if (Math.abs(nearest) > tolerableMs) throw new ClockError(nearest);
  return `within ${Math.max(1, Math.ceil(Math.abs(nearest) / 1000))} s of the service's`;
}

/** This machine's clock is wrong, or the service's. */
class ClockError extends VenueError {
  override readonly name = "ClockError";
  readonly code = "CLOCK";
  readonly category = "usage";

  constructor(offsetMs: number) {
    const apart = Math.round(Math.abs(offsetMs) / 1000);
    super(
      `This machine's clock is ${apart} s ${offsetMs > 0 ? "behind" : "ahead of"} the service's: instants that are ` +
        "recorded, and what counts as expired, will be wrong. Let it be set from the network (timedatectl set-ntp true).",
    );
  }
}
