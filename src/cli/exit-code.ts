import { type ErrorCategory, VenueError } from "../util/venue-error.ts";
import { Interruption } from "./interruption.ts";

export const exitCodes = {
  done: 0,
  /** A check failed, or a value is below a threshold. */
  finding: 1,
  usage: 2,
  service: 3,
  damage: 4,
  bug: 70,
  busy: 75,
} as const;

const byCategory: Record<ErrorCategory, number> = {
  usage: exitCodes.usage,
  service: exitCodes.service,
  damage: exitCodes.damage,
  busy: exitCodes.busy,
};

export function getExitCode(error: unknown): number {
  if (error instanceof Interruption) return error.exitCode;
  return error instanceof VenueError ? byCategory[error.category] : exitCodes.bug;
}

export function findingIf(isFound: boolean): number {
  return isFound ? exitCodes.finding : exitCodes.done;
}

/** Exit codes, least severe first. */
const ranks: number[] = [
  exitCodes.done,
  exitCodes.finding,
  exitCodes.service,
  exitCodes.damage,
  exitCodes.usage,
  exitCodes.busy,
  exitCodes.bug,
];

/** Returns the most severe of a run's exit codes, as ranked above. */
export function combineExitCodes(codes: readonly number[]): number {
  return codes.reduce(
    (worst, code) => (ranks.indexOf(code) > ranks.indexOf(worst) ? code : worst),
    exitCodes.done,
  );
}
