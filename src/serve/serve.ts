import { getRequestListener } from "@hono/node-server";
import type { Settings } from "../config/settings.ts";
import { monotonicMs } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import { type Listener, openListener } from "../util/open-listener.ts";
import { getErrorMessage } from "../util/venue-error.ts";
import { createApp, type Gate } from "./app.ts";
import { Readers } from "./readers.ts";
import { serveOptionError } from "./refusal.ts";
import { type AccessOptions, readAccess } from "./security/access.ts";
import { createHostCheck } from "./security/allowed-hosts.ts";
import { type FindShare, LinkGate, TokenGate } from "./security/token-gate.ts";
import { openShares } from "./shares/open-shares.ts";
import { openSources } from "./versions/open-sources.ts";
import { VersionPool } from "./versions/version-pool.ts";

export interface ServeOptions extends AccessOptions {
  settings: Settings;
  /** If 0, the server uses a free port. */
  port: number;
  now: () => Date;
  logger: Logger;
}

export interface RunningServer extends Listener {
  /** Address of the first page, with the one-time token on loopback. */
  address: string;
}

/**
 * Serves published data as pages until closed.
 * @throws {VenueError} `SERVE_OPTION` when the address is unavailable or unprotected
 * @throws {NothingPublishedError | VenueError} when nothing is published, or nothing is shown
 * (`NOTHING_SHOWN`)
 */
export async function serve({
  settings,
  now,
  logger,
  host,
  port,
  ...access
}: ServeOptions): Promise<RunningServer> {
  const { token, tls } = readAccess({ host, ...access });
  const closing = new AbortController();
  const sources = await openSources(settings, logger);
  const pool = new VersionPool(sources.source);
  // Opens a version now, so that unreadable data is reported at the start and not to the first reader.
  (await pool.take(undefined, closing.signal)).release();
  let boundPort = port;
  const shares = openShares({ settings, ofShare: sources.ofShare, now, closing: closing.signal, logger });
  const { gate, link = "/" } = chooseGate(token, shares.find, access.withoutToken ?? false, {
    port: () => boundPort,
    isTls: tls !== undefined,
  });
  const app = createApp({
    checkHost: createHostCheck({
      ...{ host, port: () => boundPort, certificate: tls?.cert },
      publicUrl: settings.find("VENUE_PUBLIC_URL"),
    }),
    gate,
    readers: new Readers({ pool, settings, now, closing: closing.signal }),
    shares,
    settings,
    logger,
  });
  const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const listener = await openListener(handle, { host, port, tls }).catch(async (cause: unknown) => {
    await pool.close();
    const reason = getErrorMessage(cause);
    throw serveOptionError(
      `Pages can't be served on port ${port} of ${host}: ${reason}. Choose another --port, or 0 for a free one.`,
      { cause },
    );
  });
  boundPort = Number(new URL(listener.origin).port);
  return {
    origin: listener.origin,
    address: `${listener.origin}${link}`,
    async close() {
      closing.abort();
      await listener.close();
      await pool.close();
      await shares.close();
      sources.close();
    },
  };
}

function chooseGate(
  token: string | undefined,
  findShare: FindShare,
  isOpen: boolean,
  server: ConstructorParameters<typeof LinkGate>[0],
): { gate: Gate; link?: string } {
  if (token !== undefined) {
    const byToken = new TokenGate(token, monotonicMs, findShare);
    return {
      gate: ({ headers, socket }) => ({
        share: byToken.check(headers.authorization, socket.remoteAddress ?? ""),
      }),
    };
  }
  if (isOpen) return { gate: () => ({}) };
  const byLink = new LinkGate(server);
  return { gate: (request) => ({ response: byLink.check(request) }), link: byLink.link };
}
