import { serveRequests } from "./serve-requests.ts";

/** Relays to a service with a different clock. @returns the relay's origin */
export async function relay(target: string, now: () => Date): Promise<string> {
  return await serveRequests(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization, "content-type": type } = request.headers;
    const answer = await fetch(new URL(request.url ?? "", target), {
      method: request.method ?? "GET",
      headers: { ...(authorization ? { authorization } : {}), ...(type ? { "content-type": type } : {}) },
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    response.setHeader("date", now().toUTCString());
    response.setHeader("content-type", answer.headers.get("content-type") ?? "application/json");
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
}
