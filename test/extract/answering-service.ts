import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createVenueClient } from "../../src/api/client.ts";
import { DataFolder } from "../../src/config/data-folder.ts";
import type { ExtractContext } from "../../src/extract/extract-context.ts";
import { type DataState, openDataState } from "../../src/state/data/data-state.ts";
import { createClock } from "../../src/util/clock.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { createContext } from "./extract-fixture.ts";

/** A request without its token. */
interface AskedRequest {
  /** As `GET devices/status?group_id=1`. */
  name: string;
  url: URL;
}

/** Answers of a service that a test makes up: JSON of status 200, or a status. */
interface AnsweringService {
  /** Requests so far, and when each came. */
  asked: { name: string; at: number }[];
  state: DataState;
  baseUrl: string;
  /** For a new collection, at the real instant; nobody waits. */
  begin(): ExtractContext;
}

/** A real server that answers in whatever way a test wants, and what collects from it in this process. */
export async function serveAnswers(
  answer: (request: AskedRequest) => { json: unknown } | { status: number } | Promise<{ json: unknown }>,
): Promise<AnsweringService> {
  const asked: AnsweringService["asked"] = [];
  const server = createServer(async (request, response) => {
    request.resume();
    const url = new URL(request.url ?? "", "http://localhost");
    const isToken = url.pathname.endsWith("/api-clients/token");
    const name = `${request.method} ${url.pathname.replace("/v5/ext/", "")}${url.search}`;
    if (!isToken) asked.push({ name, at: Date.now() });
    const answered = isToken
      ? { json: { access_token: "t", expires_in: 86_400 } }
      : await answer({ name, url });
    const [status, json] = "status" in answered ? [answered.status, {}] : [200, answered.json];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v5`;
  const home = createTempFolder();
  const folder = new DataFolder(join(home, "data")).prepare();
  const state = openDataState(folder.stateFile);
  const client = createVenueClient({
    baseUrl,
    credentials: { clientId: "c", clientSecret: "s3cret" },
    ratePerSecond: 2000,
    stateFile: join(home, "client.db"),
    retry: { firstDelayMs: 1 },
  });
  onTestFinished(async () => {
    await client.close();
    state.close();
    server.closeAllConnections();
    server.close();
  });
  let collections = 0;
  const begin = () => {
    const now = new Date();
    const collectionId = state.collections.open({ service: baseUrl, scope: `test ${++collections}` }, now);
    const given = { client, service: baseUrl, folder, state, collectionId, now };
    const clock = { ...createClock(), sleep: async () => {} };
    return { ...createContext(given, new AbortController()), clock };
  };
  return { asked, state, baseUrl, begin };
}
