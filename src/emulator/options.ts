import { VenueError } from "../util/venue-error.ts";

/** @throws {EmulatorOptionError} unless the value is in the range, both ends inclusive */
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

export class EmulatorOptionError extends VenueError {
  constructor(message: string, options?: ErrorOptions) {
    super("EMULATOR_OPTION", "usage", message, options);
  }
}
