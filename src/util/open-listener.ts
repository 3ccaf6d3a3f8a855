import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";

export interface Listener {
  /** E.g. `http://127.0.0.1:8420`. */
  origin: string;
  /** Stops listening, and closes open connections. */
  close(): Promise<void>;
}

export interface ListenOptions {
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Certificate and key, in PEM. @default plain HTTP */
  tls?: Required<Pick<ServerOptions, "cert" | "key">> | undefined;
}

/** @throws the system's error if the address is unavailable */
export async function openListener(
  answer: RequestListener,
  { host, port, tls }: ListenOptions,
): Promise<Listener> {
  const server = tls ? createTlsServer(tls, answer) : createServer(answer);
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  const boundPort = typeof address === "object" ? address?.port : port;
  const scheme = tls ? "https" : "http";
  return {
    origin: `${scheme}://${host.includes(":") ? `[${host}]` : host}:${boundPort}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
