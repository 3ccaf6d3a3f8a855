import { classifyFault } from "../../../util/connection-fault.ts";
import type { Digest } from "../compose-digest.ts";

/** A message to one recipient: `mailto:ADDRESS` or `webhook:NAME`. */
export interface Message {
  id: string;
  recipient: string;
  createdAt: Date;
  digest: Digest;
}

/** The reason why a message was not delivered. */
export interface DeliveryFailure {
  /** A sentence for operators, without secrets. */
  reason: string;
  /** True if another attempt would fail, too. */
  isPermanent?: boolean;
  /** True if other messages would fail, too, because the receiver is down or overloaded, or refuses the login. */
  isUnreachable?: boolean;
  /** True if the message may have arrived, because the answer was lost. */
  mayHaveArrived?: boolean;
}

/** Codes of connections that failed before anything was sent. */
const unsentCodes =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EDNS|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Describes a failed connection by its code, because a library's messages may contain secrets.
 * @param setting contains the receiver's address
 */
export function toConnectionFailure(
  receiver: string,
  setting: string,
  { name, code = name }: Pick<NodeJS.ErrnoException, "name" | "code">,
): DeliveryFailure {
  const known = code === "ECONNECTION" ? "ECONNRESET" : code;
  const { problem, nextStep, isTransient } = classifyFault(Object.assign(new Error(name), { code: known }));
  const check = isTransient ? `Check ${setting}, and whether it is up.` : nextStep.replace("ROOT", setting);
  return {
    reason: `${receiver} ${problem}. ${check}`,
    isUnreachable: true,
    mayHaveArrived: !unsentCodes.test(code),
  };
}
