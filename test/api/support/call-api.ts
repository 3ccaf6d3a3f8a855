import type { VenueClient } from "../../../src/api/client.ts";
import {
  answerJson,
  createTestClient,
  plainScript,
  type SeenRequest,
  startService,
} from "./scripted-service.ts";

export type Call = (client: VenueClient) => Promise<unknown>;

interface ApiCallOutcome {
  result: Promise<unknown>;
  getRequest(): SeenRequest | undefined;
}

/** Calls the client against one answer; returns the result and the request. */
export async function callApi(call: Call, answer: unknown): Promise<ApiCallOutcome> {
  const service = await startService((request, response, count) => {
    if (request.path.endsWith("/token")) plainScript(request, response, count);
    else answerJson(response, answer);
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  const result = call(client);
  result.catch(() => undefined);
  return { result, getRequest: () => service.seenExt()[0] };
}
