import type { VenueClient } from "../../../src/api/client.ts";
import { createTestClient, plainScript, type SeenRequest, startService } from "./scripted-service.ts";

export type Call = (client: VenueClient) => Promise<unknown>;

interface Asked {
  result: Promise<unknown>;
  asked(): SeenRequest | undefined;
}

/** Calls the client against one answer; returns the result and the request. */
export async function ask(call: Call, answer: unknown): Promise<Asked> {
  return await askText(call, JSON.stringify(answer));
}

/** `ask` for an answer given as text. */
export async function askText(call: Call, answer: string): Promise<Asked> {
  const service = await startService((request, response, count) => {
    if (request.path.endsWith("/token")) plainScript(request, response, count);
    else response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  const result = call(client);
  result.catch(() => undefined);
  return { result, asked: () => service.seenExt()[0] };
}
