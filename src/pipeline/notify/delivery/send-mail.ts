import { domainToASCII } from "node:url";
import { readSecretFile } from "../../../config/credentials.ts";
import { ConfigError, type Settings } from "../../../config/settings.ts";
import { isLoopback } from "../../../util/http-values.ts";
import { sanitizeText } from "../../../util/text/escaping.ts";
import type { Attachment } from "./attach-files.ts";
import { type DeliveryFailure, type Message, toConnectionFailure } from "./message.ts";
import { renderMail } from "./render-message.ts";

interface Mail extends Omit<Message, "recipient"> {
  /** A single address. */
  to: string;
  attachments: readonly Attachment[];
}

const connectMs = 10_000;

/**
 * Returns a function that sends mail through `VENUE_SMTP_URL`. The function returns the failure, if any. If the signal
 * aborts, the function throws the signal's reason; the mail may have been sent by then.
 * @throws {ConfigError} if settings are missing, or the password can't be read
 */
export async function openMailer(
  settings: Settings,
  { signal, timeoutMs = 60_000 }: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<(mail: Mail) => Promise<DeliveryFailure | undefined>> {
  const url = settings.get("VENUE_SMTP_URL");
  const from = settings.get("VENUE_MAIL_FROM");
  const auth = findLogin(settings, url);
  const connection = toConnection(url);
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    ...connection,
    ...(auth && { auth, forceAuth: true }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
  });
  return async ({ id, createdAt, to, digest, attachments }) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      await transport.sendMail({
        ...renderMail(digest),
        messageId: `<${id}@${domainToASCII(from.address.replace(/.*@/, ""))}>`,
        date: createdAt,
        from,
        to: { name: "", address: to },
        headers: { "Auto-Submitted": "auto-generated" },
        xMailer: false,
        attachments: attachments.map(({ rule, ...file }) => file),
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      return undefined;
    } catch (error) {
      signal?.throwIfAborted();
      return toFailure(error as SmtpError, `${connection.host}:${connection.port}`, timeoutMs);
    }
  };
}

/** Returns the connection options: TLS with a verified certificate, except on loopback with `smtp://`. */
function toConnection(url: URL) {
  const secure = url.protocol === "smtps:";
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !isLoopback(url),
    // A mail server on the same machine often has a certificate that can't be verified.
    ignoreTLS: !secure && isLoopback(url),
  };
}

function findLogin(settings: Settings, url: URL): { user: string; pass: string } | undefined {
  const name = "VENUE_SMTP_PASSWORD_FILE";
  const file = settings.find(name);
  const user = decodeURIComponent(url.username);
  if (file === undefined && user === "") return undefined;
  if (file === undefined || user === "")
    throw new ConfigError(
      file === undefined ? name : "VENUE_SMTP_URL",
      `A login needs both a user in VENUE_SMTP_URL (smtp://user@host) and ${name}. Set both, or neither.`,
    );
  return { user, pass: readSecretFile(name, file) };
}

interface SmtpError extends Error {
  code?: string;
  /** System or TLS error code. */
  originalCode?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** Codes for a missing or wrong login or encryption (RFC 4954), which the operator has to correct. */
const loginCodes = [530, 534, 535, 538];

/** The library's messages are not used, because they quote responses to a login. */
function toFailure(error: SmtpError, server: string, timeoutMs: number): DeliveryFailure {
  const { name, code = name, originalCode = code, command = "", response = "", responseCode = 0 } = error;
  if (code === "EAUTH" || loginCodes.includes(responseCode)) {
    const answer = responseCode ? ` (${responseCode})` : "";
    const reason = `${server} refuses the login${answer}. Check the user in VENUE_SMTP_URL, and VENUE_SMTP_PASSWORD_FILE.`;
    return { reason, isUnreachable: true };
  }
  if (code === "ETLS" && responseCode > 0) {
    const reason = `${server} offers no STARTTLS. Use a server that does, or smtps:// in VENUE_SMTP_URL.`;
    return { reason, isUnreachable: true };
  }
  if (responseCode > 0) {
    const subject = /^(MAIL FROM|RCPT TO|DATA)$/.test(command) ? command : "the connection";
    const reason = `${server} answers ${subject} with: ${sanitizeText(response, " ").slice(0, 200)}`;
    // With 421, the server closes the connection because it is overloaded or stopping. A rejected MAIL FROM affects
    // all mail until the operator corrects the sender.
    const isAboutMail = /^(RCPT TO|DATA)$/.test(command) && responseCode !== 421;
    return isAboutMail ? { reason, isPermanent: responseCode >= 500 } : { reason, isUnreachable: true };
  }
  if (code === "EABORT") {
    const reason = `${server} did not accept the mail within ${timeoutMs / 1000} s.`;
    return { reason, isUnreachable: true, mayHaveArrived: true };
  }
  // The library itself refuses invalid addresses, and mail larger than the size that the server announced.
  if (code === "EENVELOPE" || code === "EMESSAGE")
    return { reason: `${server} can't accept the mail: ${error.message.slice(0, 200)}.`, isPermanent: true };
  return toConnectionFailure(server, "VENUE_SMTP_URL", { name, code: originalCode });
}
