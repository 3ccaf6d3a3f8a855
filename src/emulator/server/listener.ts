import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { type Listener, openListener } from "../../util/open-listener.ts";
import { getErrorMessage } from "../../util/venue-error.ts";
import { EmulatorOptionError } from "../options.ts";
import type { ServiceEnv } from "./service-env.ts";

/** @param port 0 selects a free one. @throws {EmulatorOptionError} when the address is unavailable */
export async function listenFor(app: Hono<ServiceEnv>, host: string, port: number): Promise<Listener> {
  // By default, Hono would replace the global Request of a process that embeds the emulator.
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return await openListener(answer, { host, port }).catch((cause: unknown) => {
    const reason = getErrorMessage(cause);
    throw new EmulatorOptionError(
      `The emulator can't listen on port ${port} of ${host}: ${reason}. Choose another port, or 0 for a free one.`,
      { cause },
    );
  });
}
