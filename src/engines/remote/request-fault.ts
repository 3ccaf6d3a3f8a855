import { faultOf } from "../../util/connection-fault.ts";
import { publicCause } from "../../util/venue-error.ts";

/** Why a request brought no answer that is worth reading. */
export interface RequestFault {
  /** Continues “Trino at URL …”. */
  problem: string;
  nextStep: string;
  isConnected: boolean;
  /** Whether the service surely did nothing of what was asked. */
  wasUndone: boolean;
  /** Whether another try may succeed. */
  isTransient: boolean;
  cause?: unknown;
}

/** Refused before anything was done. */
const refusedStatuses = new Set([429, 503]);
const passingStatuses = new Set([...refusedStatuses, 502, 504]);
const unsentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/** What an answer's status says of it; `undefined` where the answer is for whoever asked. */
export function findFaultOfStatus(status: number): RequestFault | undefined {
  if (!passingStatuses.has(status)) return undefined;
  return {
    problem: `answers with status ${status}`,
    nextStep: "Check whether it is up, and whatever stands before it.",
    isConnected: true,
    wasUndone: refusedStatuses.has(status),
    isTransient: true,
  };
}

export function faultOfError(error: Error): RequestFault {
  const { problem, nextStep, isTransient } = faultOf(error);
  const isUnsent = "code" in error && unsentCodes.has(String(error.code));
  return {
    problem,
    nextStep: nextStep.replace("ROOT", "its address"),
    isConnected: !isUnsent,
    wasUndone: isUnsent,
    isTransient,
    cause: publicCause(error),
  };
}
