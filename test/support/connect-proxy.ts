import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export interface ConnectProxy {
  /** Contains the login, with `proxyPassword`. */
  url: string;
  /** Hosts and ports that clients requested. */
  requested: string[];
}

export const proxyPassword = "pa55@word";
const login = `Basic ${Buffer.from(`venue:${proxyPassword}`).toString("base64")}`;

/**
 * Starts an HTTP proxy, for one test, that connects clients to one server, whatever host they request. Only `CONNECT` with
 * the login is accepted.
 * @param origin of the server
 * @param status answered to all clients instead of connecting them
 */
export async function startConnectProxy(origin: string, status = 200): Promise<ConnectProxy> {
  const requested: string[] = [];
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on("connect", (request, socket: Socket) => {
    requested.push(request.url ?? "");
    const answer = request.headers["proxy-authorization"] === login ? status : 407;
    socket.write(`HTTP/1.1 ${answer} Answer\r\n\r\n`);
    if (answer === 200) join(socket, origin);
    else socket.end();
  });
  const port = await listen(server);
  return { url: `http://venue:${encodeURIComponent(proxyPassword)}@127.0.0.1:${port}`, requested };
}

/** The certificate of `serveTls`, which nobody trusts: for `NODE_EXTRA_CA_CERTS`. */
export const certificateFile = fixture("cert.pem");

/** Serves a server for one test over TLS, as `venue.test`. @returns the new origin */
export async function serveTls(origin: string): Promise<string> {
  const certificate = { cert: readFileSync(certificateFile), key: readFileSync(fixture("key.pem")) };
  return `https://127.0.0.1:${await listen(createTlsServer(certificate, (socket) => join(socket, origin)))}`;
}

function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
}

function join(outside: Socket, origin: string): void {
  const { hostname, port } = new URL(origin);
  const inside = connect(Number(port), hostname);
  for (const [one, other] of [
    [outside, inside],
    [inside, outside],
  ] as const)
    one
      .on("error", () => {})
      .on("close", () => other.destroy())
      .pipe(other);
}

async function listen(server: Server): Promise<number> {
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}
