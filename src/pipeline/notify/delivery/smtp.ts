import { domainToASCII } from "node:url";
import type { Transporter } from "nodemailer";
import { readSecretFile } from "../../../config/credentials.ts";
import { ConfigError, type Settings } from "../../../config/settings.ts";
import { classifyFault } from "../../../util/connection-fault.ts";
import { isLoopback } from "../../../util/http-values.ts";
import { sanitizeText } from "../../../util/text/escaping.ts";
import type { Mailbox } from "../../../util/text/mail-address.ts";
import type { Attachment } from "../messages/attach-files.ts";
import type { Digest } from "../messages/digest.ts";
import { type DeliveryFailure, mayHaveArrived } from "./delivery-failure.ts";
import { renderMail } from "./render-mail.ts";

interface Mail {
  id: string;
  /** A single address. */
  to: string;
  createdAt: Date;
  digest: Digest;
  attachments: readonly Attachment[];
}

const connectMs = 10_000;

/** Sends mail through `VENUE_SMTP_URL`, over one connection per mail. */
export class Mailer {
  readonly #transport: Transporter;
  /** Host and port. */
  readonly #server: string;
  readonly #from: Mailbox;
  readonly #replyTo: Mailbox | undefined;
  readonly #sendMs: number;

  private constructor(settings: Settings, transport: Transporter, server: string, sendMs: number) {
    this.#transport = transport;
    this.#server = server;
    this.#from = settings.get("VENUE_MAIL_FROM");
    this.#replyTo = settings.find("VENUE_MAIL_REPLY_TO");
    this.#sendMs = sendMs;
  }

  /**
   * @param sendMs timeout for one mail, in milliseconds
   * @throws {ConfigError} if settings are missing, or the password can't be read
   */
  static async open(settings: Settings, sendMs: number): Promise<Mailer> {
    const url = settings.get("VENUE_SMTP_URL");
    const connection = toConnection(url);
    const auth = findLogin(settings, url);
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({
      ...connection,
      ...(auth && { auth, forceAuth: true }),
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      dnsTimeout: connectMs,
    });
    return new Mailer(settings, transport, `${connection.host}:${connection.port}`, sendMs);
  }

  /** @throws the signal's reason if it aborts; the mail may have been sent then */
  async send(mail: Mail, signal: AbortSignal): Promise<DeliveryFailure | undefined> {
    const domain = domainToASCII(this.#from.address.replace(/.*@/, ""));
    const { subject, text, html } = renderMail(mail.digest);
    try {
      await this.#transport.sendMail({
        messageId: `<${mail.id}@${domain}>`,
        date: mail.createdAt,
        from: this.#from,
        to: { name: "", address: mail.to },
        replyTo: this.#replyTo,
        headers: { "Auto-Submitted": "auto-generated" },
        xMailer: false,
        subject,
        text,
        html,
        attachments: mail.attachments.map(({ fileName, type, content }) => ({
          filename: sanitizeText(fileName, " "),
          contentType: type,
          content: Buffer.from(content),
        })),
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.#sendMs)]),
      });
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      return toFailure(error as SmtpError, this.#server, this.#sendMs);
    }
  }
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
    tls: { rejectUnauthorized: true },
  };
}

function findLogin(settings: Settings, url: URL): { user: string; pass: string } | undefined {
  const name = "VENUE_SMTP_PASSWORD_FILE";
  const file = settings.find(name);
  const user = decodeURIComponent(url.username);
  if (file === undefined && user === "") return undefined;
  if (file === undefined)
    throw new ConfigError(
      name,
      `VENUE_SMTP_URL names a user, but ${name} is not set. Set it, or remove the user.`,
    );
  if (user === "")
    throw new ConfigError(
      "VENUE_SMTP_URL",
      `${name} is set, but VENUE_SMTP_URL names no user. Write smtp://user@host.`,
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

/** Code for mail larger than the server or the mailbox takes. */
const tooLargeCode = 552;

/** The library's messages are not used, because they quote responses to a login. */
function toFailure(error: SmtpError, server: string, sendMs: number): DeliveryFailure {
  const { name, code = name, originalCode, command = "", response = "", responseCode = 0 } = error;
  if (code === "EAUTH" || loginCodes.includes(responseCode)) {
    const answer = responseCode ? ` (${responseCode})` : "";
    const reason = `${server} refuses the login${answer}. Check the user in VENUE_SMTP_URL, and VENUE_SMTP_PASSWORD_FILE.`;
    return { reason, isUnreachable: true };
  }
  if (code === "ETLS" && responseCode > 0) {
    const reason = `${server} offers no STARTTLS. Use a server that does, or smtps:// in VENUE_SMTP_URL.`;
    return { reason, isUnreachable: true };
  }
  const isAboutMail = /^(MAIL FROM|RCPT TO|DATA)$/.test(command);
  if (responseCode > 0) {
    const answer = sanitizeText(response, " ").slice(0, 200);
    const reason = `${server} answers ${isAboutMail ? command : "the connection"} with: ${answer}`;
    const isAboutContent = responseCode === tooLargeCode || (command === "DATA" && responseCode >= 500);
    // With 421, the server closes the connection because it is overloaded or stopping. It refuses the sender of all
    // mail alike, until the operator corrects it.
    return isAboutMail && command !== "MAIL FROM" && responseCode !== 421
      ? { reason, isPermanent: responseCode >= 500, isAboutContent }
      : { reason, isUnreachable: true, isAboutContent };
  }
  if (code === "EABORT") {
    const reason = `${server} did not accept the mail within ${sendMs / 1000} s.`;
    return { reason, isUnreachable: true, isAboutContent: true, mayHaveArrived: true };
  }
  // The library itself refuses invalid addresses, and mail larger than the size that the server announced.
  if (code === "EENVELOPE" || code === "EMESSAGE") {
    const reason = `${server} can't take the mail: ${error.message.slice(0, 200)}.`;
    return { reason, isPermanent: true, isAboutContent: code === "EMESSAGE" };
  }
  const { problem, nextStep, isTransient } = classifyFault(
    Object.assign(new Error(name), { code: originalCode ?? toSystemCode(code) }),
  );
  const check = isTransient
    ? "Check VENUE_SMTP_URL, and whether the mail server is up."
    : nextStep.replace("ROOT", "VENUE_SMTP_URL");
  return {
    reason: `${server} ${problem}. ${check}`,
    isUnreachable: true,
    mayHaveArrived: mayHaveArrived(originalCode ?? code),
  };
}

function toSystemCode(code: string): string {
  return code === "ECONNECTION" ? "ECONNRESET" : code;
}
