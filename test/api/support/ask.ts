import type { VenueClient } from "../../../src/api/client.ts";
import {
  answerJson,
  createTestClient,
  plainScript,
  type SeenRequest,
  startService,
} from "./scripted-service.ts";

export type Call = (client: VenueClient) => Promise<unknown>;

/** What a call makes of an answer, and what it asked for. */
export async function ask(
  call: Call,
  answer: unknown,
): Promise<{ result: Promise<unknown>; asked(): SeenRequest | undefined }> {
  const service = await startService((request, response, count) => {
    if (request.path.endsWith("/token")) plainScript(request, response, count);
    else answerJson(response, answer);
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  const result = call(client);
  result.catch(() => undefined);
  return { result, asked: () => service.seenExt()[0] };
}
