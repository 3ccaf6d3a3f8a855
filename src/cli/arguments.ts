import { InvalidArgumentError, Option } from "commander";

/** A flag's text → a whole number, at least `minimum`. */
export function wholeNumber(minimum: number): (text: string) => number {
  return (text) => {
    if (!/^\d{1,15}$/.test(text) || Number(text) < minimum) {
      throw new InvalidArgumentError(`Accepted: a whole number from ${minimum}.`);
    }
    return Number(text);
  };
}

/** Gathers a flag that may be given several times. */
export function collect(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}

export const defaultKeepLandingDays = 7;

export function keepLandingOption(): Option {
  return new Option("--keep-landing <days>", "keep loaded downloads at least so long")
    .argParser(wholeNumber(0))
    .default(defaultKeepLandingDays);
}
