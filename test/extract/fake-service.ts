import { createServer, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type Collecting, openCollecting } from "./extract-fixture.ts";

/** A request, without its token. */
interface AskedRequest {
  /** For example `GET devices/status?group_id=1`. */
  name: string;
  url: URL;
}

/** JSON with status 200, complete or cut near its end; or another status. */
type Answered = { json: unknown; isCut?: boolean; headers?: OutgoingHttpHeaders } | { status: number };

/** A service whose responses the test supplies. */
interface FakeService extends Collecting {
  requested: string[];
  baseUrl: string;
}

/**
 * A real server that responds as the test specifies, and what collects from it in this process.
 * @param now the instant of each collection.
 * @default the real time; nothing waits
 */
export async function serveResponses(
  answer: (request: AskedRequest) => Answered,
  now?: () => Date,
): Promise<FakeService> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const url = new URL(request.url ?? "", "http://localhost");
    const isToken = url.pathname.endsWith("/api-clients/token");
    const name = `${request.method} ${url.pathname.replace("/v5/ext/", "")}${url.search}`;
    if (!isToken) requested.push(name);
    const answered: Answered = isToken
      ? { json: { access_token: "a-token", expires_in: 86_400 } }
      : answer({ name, url });
    const headers = "headers" in answered ? answered.headers : {};
    response.writeHead("status" in answered ? answered.status : 200, {
      "content-type": "application/json",
      ...headers,
    });
    if ("status" in answered) response.end(answered.status === 204 ? undefined : "{}");
    else if (answered.isCut)
      response.write(JSON.stringify(answered.json).slice(0, -1), () => response.destroy());
    else response.end(JSON.stringify(answered.json));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v5`;
  const collecting = openCollecting(
    { baseUrl, clientId: "a-client", clientSecret: "a-secret" },
    { now: now ?? (() => new Date()) },
  );
  const beginNow: Collecting["begin"] = (stop) => {
    const context = collecting.begin(stop);
    context.clock.now = () => new Date();
    return { ...context, clock: { ...context.clock, sleep: async () => {} } };
  };
  return { requested, baseUrl, ...collecting, ...(now ? {} : { begin: beginNow }) };
}
