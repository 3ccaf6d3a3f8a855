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

/** JSON of status 200, whole or cut near its end; or a status. */
type Answered = { json: unknown; isCut?: boolean } | { status: number };

/** A service whose answers a test makes up. */
interface AnsweringService {
  /** Names of the requests so far. */
  asked: string[];
  state: DataState;
  baseUrl: string;
  /** For a new collection, at the real instant; nobody waits. */
  begin(): ExtractContext;
}

/** A real server that answers in whatever way a test wants, and what collects from it in this process. */
export async function serveAnswers(answer: (request: AskedRequest) => Answered): Promise<AnsweringService> {
  const asked: AnsweringService["asked"] = [];
  const server = createServer((request, response) => {
    request.resume();
    const url = new URL(request.url ?? "", "http://localhost");
    const isToken = url.pathname.endsWith("/api-clients/token");
    const name = `${request.method} ${url.pathname.replace("/v5/ext/", "")}${url.search}`;
    if (!isToken) asked.push(name);
    const answered: Answered = isToken
      ? { json: { access_token: "t", expires_in: 86_400 } }
      : answer({ name, url });
    response.writeHead("status" in answered ? answered.status : 200, { "content-type": "application/json" });
    if ("status" in answered) response.end("{}");
    else if (answered.isCut)
      response.write(JSON.stringify(answered.json).slice(0, -1), () => response.destroy());
    else response.end(JSON.stringify(answered.json));
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
