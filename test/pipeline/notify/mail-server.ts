import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The raw mail, one character per byte. */
  source: string;
  messageId: string;
}

export interface MailServer {
  port: number;
  received: ReceivedMail[];
  /** Number of connections so far. */
  connections(): number;
}

/** An error that makes the server answer with a status. */
export function refusal(responseCode: number, text = "not now"): Error {
  return Object.assign(new Error(text), { responseCode });
}

/**
 * Starts a mail server on a free local port, without TLS and login unless the options say so. It ends with
 * the test.
 * @param onReceived called for each mail, before it is acknowledged
 */
export async function startMailServer(
  options: SMTPServerOptions = {},
  onReceived: (
    mail: ReceivedMail,
    socket: { destroy(): void },
  ) => Error | undefined | Promise<Error | undefined> = () => undefined,
): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let connections = 0;
  const server: SMTPServer = new SMTPServer({
    logger: false,
    closeTimeout: 1,
    disabledCommands: ["AUTH", "STARTTLS"],
    onConnect: (_session, done) => {
      connections += 1;
      done();
    },
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const source = Buffer.concat(chunks).toString("latin1");
        const mail: ReceivedMail = {
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : "",
          to: session.envelope.rcptTo.map(({ address }) => address),
          source,
          messageId: /^Message-ID: (.*)\r$/im.exec(source)?.[1] ?? "",
        };
        const socket = {
          destroy: () => {
            for (const connection of server.connections) {
              if (connection.session.id === session.id) connection._socket.destroy();
            }
          },
        };
        const error = await onReceived(mail, socket);
        if (!error) received.push(mail);
        done(error);
      });
    },
  });
  // Connections that a test cuts.
  server.on("error", () => {});
  const listener = server.listen(0, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (listener.address() as AddressInfo).port, received, connections: () => connections };
}
