/** Explains an error from the HTTP library or the system. */
export interface ConnectionFault {
  /** Completes “host:port …”. */
  problem: string;
  /** The caller replaces `ROOT` with the setting or link that contains the URL. */
  nextStep: string;
  isTransient: boolean;
}

const checkRoot = "Check ROOT, and whether the service is up.";
const checkNetwork = "Check the network, and whether the service is up; then run this again.";
const checkTls =
  "Check ROOT and its scheme, and the clock. If your own authority issued the certificate, set NODE_EXTRA_CA_CERTS to its PEM file in the environment (not in .env, which is read too late).";
const checkProxy = "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.";

const faults: Readonly<Record<string, ConnectionFault>> = {
  ERR_INVALID_URL: { problem: "has an invalid address", nextStep: checkRoot, isTransient: false },
  ECONNREFUSED: { problem: "refuses connections", nextStep: checkRoot, isTransient: true },
  ENOTFOUND: { problem: "is not a known host name", nextStep: checkRoot, isTransient: true },
  EAI_AGAIN: { problem: "can't be looked up now", nextStep: checkNetwork, isTransient: true },
  ECONNRESET: { problem: "broke the connection", nextStep: checkNetwork, isTransient: true },
  EPIPE: { problem: "broke the connection", nextStep: checkNetwork, isTransient: true },
  UND_ERR_SOCKET: { problem: "broke the connection", nextStep: checkNetwork, isTransient: true },
  ETIMEDOUT: { problem: "does not answer", nextStep: checkNetwork, isTransient: true },
  EHOSTDOWN: { problem: "can't be reached", nextStep: checkNetwork, isTransient: true },
  EHOSTUNREACH: { problem: "can't be reached", nextStep: checkNetwork, isTransient: true },
  ENETDOWN: { problem: "can't be reached: the network is down", nextStep: checkNetwork, isTransient: true },
  ENETUNREACH: {
    problem: "can't be reached: no route to it exists",
    nextStep: checkNetwork,
    isTransient: true,
  },
  UND_ERR_CONNECT_TIMEOUT: { problem: "does not answer", nextStep: checkNetwork, isTransient: true },
  UND_ERR_HEADERS_TIMEOUT: { problem: "took too long to answer", nextStep: checkNetwork, isTransient: true },
  UND_ERR_BODY_TIMEOUT: {
    problem: "stopped sending in the middle",
    nextStep: checkNetwork,
    isTransient: true,
  },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: {
    problem: "sent fewer or more bytes than it announced",
    nextStep: checkNetwork,
    isTransient: true,
  },
};

export function classifyFault(error: Error): ConnectionFault {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const known = faults[code];
  if (known) return known;
  const [, viaProxy] = /^PROXY_(.+)$/.exec(code) ?? [];
  if (viaProxy !== undefined) return explainProxy(viaProxy);
  // Undici sets no code on this error.
  if (error.name === "HTTPParserError") {
    return { problem: `does not speak HTTP (${error.message})`, nextStep: checkRoot, isTransient: true };
  }
  if (code.startsWith("Z_")) {
    return {
      problem: "sent compressed data that is damaged or cut",
      nextStep: checkNetwork,
      isTransient: true,
    };
  }
  if (/TLS|SSL|CERT|UNABLE_TO_|EPROTO/.test(code)) {
    return {
      problem: `offers no trusted TLS connection (${code})`,
      nextStep: checkTls,
      isTransient: false,
    };
  }
  return {
    problem: `can't be contacted (${code || error.message})`,
    nextStep: checkRoot,
    isTransient: false,
  };
}

/** @param code of the connection to the proxy, or the status with which it refused to connect */
function explainProxy(code: string): ConnectionFault {
  const status = Number(code);
  const { problem, isTransient } = status
    ? { problem: `answers with status ${status}`, isTransient: status >= 500 }
    : classifyFault(Object.assign(new Error(code), { code }));
  return { problem: `can't be reached, because the proxy ${problem}`, nextStep: checkProxy, isTransient };
}
