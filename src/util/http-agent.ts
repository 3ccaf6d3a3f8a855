import type { Socket } from "node:net";
import { Agent, buildConnector } from "undici";

export type HttpAgentOptions = Omit<Agent.Options, "connect"> & { connect: buildConnector.BuildOptions };

/** What undici attaches to a connection to read answers from it. */
interface Parser {
  /** Whoever reads the answer has enough for now. */
  paused: boolean;
  /** Of the answer under way; 0 between answers. */
  statusCode: number;
  resume(): void;
  /** The parser proper, and its state. */
  llhttp: { llhttp_resume(state: unknown): void };
  ptr: unknown;
}

/**
 * Connections of HTTP. Of undici's own, one that the server ends behind an answer, as `Connection: close` announces, ends
 * the process by an assertion where the answer's reader lags behind just then: undici 7 must not be told of the end while
 * its parser is paused (https://github.com/nodejs/undici/issues/5360; mended in undici 8, which needs Node.js 22).
 */
export function createHttpAgent({ connect, ...options }: HttpAgentOptions): Agent {
  const open = buildConnector(connect);
  return new Agent({
    ...options,
    connect: (target, done) =>
      open(target, (...opened) => {
        const [, socket] = opened;
        if (socket) unpauseAtItsEnd(socket);
        done(...opened);
      }),
  });
}

/** These listeners are the first: undici's, of the same events, find no paused parser any more. */
function unpauseAtItsEnd(socket: Socket): void {
  socket.prependListener("end", () => {
    const parser = parserOf(socket);
    if (!parser?.paused) return;
    // All has come; the reader's stream keeps what is left. An answer whose length is known is complete after this.
    parser.resume();
    // Others are by their end. Resuming once more would have the reader pause again.
    if (parser.paused && parser.statusCode > 0 && !socket.destroyed) parser.llhttp.llhttp_resume(parser.ptr);
    parser.paused = false;
  });
  for (const event of ["error", "close"]) {
    socket.prependListener(event, () => {
      // What is left is lost: undici lets the answer fail.
      const parser = parserOf(socket);
      if (parser) parser.paused = false;
    });
  }
}

function parserOf(socket: Socket): Parser | null | undefined {
  const name = Object.getOwnPropertySymbols(socket).find(({ description }) => description === "parser");
  return name && (socket as unknown as Record<symbol, Parser | null>)[name];
}
