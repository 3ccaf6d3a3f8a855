import { VenueError } from "../util/venue-error.ts";

/**
 * Hands the number back when it lies in the range, both ends included.
 * @throws {EmulatorOptionError} naming the option, its value and what is accepted
 */
export function checkNumber(
  option: string,
  value: number,
  { min, max, isWhole = false }: { min: number; max: number; isWhole?: boolean },
): number {
  const isAccepted = value >= min && value <= max && (!isWhole || Number.isInteger(value));
  if (isAccepted) return value;
  const accepted = `${isWhole ? "a whole number" : "a number"} from ${min} to ${max}`;
  throw new EmulatorOptionError(`The emulator's ${option} is ${value}, but must be ${accepted}.`);
}

/** The emulator can't start, or go on, with what it was given. */
export class EmulatorOptionError extends VenueError {
  constructor(message: string, options?: ErrorOptions) {
    super("EMULATOR_OPTION", "usage", message, options);
  }
}
