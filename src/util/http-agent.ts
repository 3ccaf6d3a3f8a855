import type { Socket } from "node:net";
import { Agent, buildConnector } from "undici";
import { openTunnel } from "./proxy-tunnel.ts";

export type HttpAgentOptions = Omit<Agent.Options, "connect"> & { connect?: buildConnector.BuildOptions };

/** The parser that undici attaches to a connection. */
interface Parser {
  /** The response's reader has applied back-pressure. */
  paused: boolean;
  /** Status of the current response; 0 between responses. */
  statusCode: number;
  resume(): void;
  /** The underlying parser, and its state. */
  llhttp: { llhttp_resume(state: unknown): void };
  ptr: unknown;
}

const defaultConnectMs = 10_000;

/**
 * Creates an HTTP agent that uses the machine's proxy, and prevents a crash in undici 7. If the server closes a
 * connection (`Connection: close`) before the response has been read, a failed assertion ends the process. So
 * undici must not receive the end of a connection while its parser is paused
 * (https://github.com/nodejs/undici/issues/5360; fixed in undici 8, which needs Node.js 22).
 */
export function createHttpAgent({ connect = {}, ...options }: HttpAgentOptions = {}): Agent {
  const open = buildConnector(connect);
  return new Agent({
    ...options,
    connect: (target, done) => {
      const finish: buildConnector.Callback = (...opened) => {
        const [, socket] = opened;
        if (socket) unpauseAtEnd(socket);
        done(...opened);
      };
      const url = new URL(`${target.protocol}//${target.host}`);
      const tunnel = openTunnel(url, connect.timeout ?? defaultConnectMs);
      if (!tunnel) return open(target, finish);
      tunnel.then(
        (socket) =>
          url.protocol === "https:"
            ? open({ ...target, httpSocket: socket }, finish)
            : finish(null, socket.setNoDelay()),
        (error) => finish(error, null),
      );
    },
  });
}

/** Adds listeners that run before undici's listeners for the same events, so that the parser is no longer paused. */
function unpauseAtEnd(socket: Socket): void {
  socket.prependListener("end", () => {
    const parser = findParser(socket);
    if (!parser?.paused) return;
    // All data has arrived and is buffered in the reader's stream. Resuming completes responses of known
    // length.
    parser.resume();
    // Other responses end with the connection. A normal resume here would let the reader pause again.
    if (parser.paused && parser.statusCode > 0 && !socket.destroyed) parser.llhttp.llhttp_resume(parser.ptr);
    parser.paused = false;
  });
  for (const event of ["error", "close"]) {
    socket.prependListener(event, () => {
      // The rest of the response is lost, so undici fails it.
      const parser = findParser(socket);
      if (parser) parser.paused = false;
    });
  }
}

function findParser(socket: Socket): Parser | null | undefined {
  const name = Object.getOwnPropertySymbols(socket).find(({ description }) => description === "parser");
  return name && (socket as unknown as Record<symbol, Parser | null>)[name];
}
