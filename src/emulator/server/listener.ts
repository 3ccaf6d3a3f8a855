import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { EmulatorOptionError } from "../emulator-option-error.ts";
import type { ServiceEnv } from "./service-env.ts";

/** An HTTP server that listens. */
export interface Listener {
  /** `http://host:port`. */
  origin: string;
  /** Ends open connections too. */
  close(): Promise<void>;
}

/**
 * @param port 0 takes a free one
 * @throws {EmulatorOptionError} when the address can't be had
 */
export async function openListener(app: Hono<ServiceEnv>, host: string, port: number): Promise<Listener> {
  // Hono would replace the global Request of whoever runs the emulator in its own process.
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EmulatorOptionError(
      `The emulator can't listen on port ${port} of ${host}: ${reason}. Choose another port, or 0 for a free one.`,
      { cause },
    );
  }
  const address = server.address();
  const boundPort = typeof address === "object" ? address?.port : port;
  return {
    origin: `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
