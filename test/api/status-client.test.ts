import { join } from "node:path";
import { expect, it } from "vitest";
import { eachStatusRecord } from "../../src/api/each-record.ts";
import type { StatusClient } from "../../src/api/status-client.ts";
import { openClientState } from "../../src/state/client/client-state.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import {
  answerJson,
  collect,
  createTestClient,
  failureOf,
  startService,
} from "./support/scripted-service.ts";
import { createTestStatusClient } from "./support/status-service.ts";

const page = { name: "Service", state: "operational" };
const component = { id: 9, state: "operational", name: "API" };
const notice = { id: 11, type: "general", timeline_state: "present", subject: "Hello" };
const meta = { count: 1, total_count: 1, next_page: null };
const list = (record: unknown) => ({ records: [record], total_count: 1, next: undefined });

it.each<[string, unknown, (client: StatusClient) => Promise<unknown>, unknown]>([
  ["/api/v1/status", { page }, (client) => client.page(), page],
  [
    "/api/v1/components?filter[parent_id_null]=true",
    { components: [component], meta },
    (client) => client.componentsPage({ isTopLevel: true }),
    list(component),
  ],
  [
    "/api/v1/components?filter[parent_id_eq]=9&page=2",
    { components: [component], meta },
    (client) => client.componentsPage({ isTopLevel: false, parentId: 9, page: 2 }),
    list(component),
  ],
  [
    "/api/v1/notices?filter[type_eq]=planned&filter[timeline_state_eq]=past_recent&page=3",
    { notices: [notice], meta },
    (client) => client.noticesPage({ type: "planned", timelineState: "past_recent", page: 3 }),
    list(notice),
  ],
  ["/api/v1/notices/11", { notice }, (client) => client.notice({ id: 11 }), notice],
])("%s", async (path, answer, call, expected) => {
  const service = await startService((_request, response) => answerJson(response, answer));
  const client = createTestStatusClient({ statusUrl: `${service.origin}/status/` });
  expect(await call(client)).toEqual(expected);
  const [request] = service.seen;
  expect(decodeURIComponent(request?.path ?? "")).toBe(`/status${path}`);
  expect(request?.method).toBe("GET");
  expect(request?.headers).not.toHaveProperty("authorization");
  expect(service.seen).toHaveLength(client.requestsSent);
});

it("reads all pages from the documented path, whatever the links' paths", async () => {
  const links = ["/v1/notices?page=2", "/notices?filter%5Btype_eq%5D=planned&page=3", null];
  const service = await startService((request, response) => {
    const number = Number(new URL(request.path, "http://host").searchParams.get("page") ?? 1);
    const notices = [{ ...notice, id: number }];
    answerJson(response, { notices, meta: { count: 1, total_count: 3, next_page: links[number - 1] } });
  });
  const client = createTestStatusClient({ statusUrl: service.origin });
  const notices = eachStatusRecord((page) => client.noticesPage({ type: "planned", page }));
  expect((await collect(notices)).map(({ id }) => id)).toEqual([1, 2, 3]);
  const query = "/api/v1/notices?filter[type_eq]=planned";
  expect(service.seen.map(({ path }) => decodeURIComponent(path))).toEqual([
    query,
    `${query}&page=2`,
    `${query}&page=3`,
  ]);
});

it("ends at a page without new records, whatever its link and total", async () => {
  const service = await startService((request, response) => {
    const page = Number(new URL(request.path, "http://host").searchParams.get("page") ?? 1);
    answerJson(response, {
      notices: [notice],
      meta: { count: 1, total_count: 99, next_page: `?page=${page + 1}` },
    });
  });
  const client = createTestStatusClient({ statusUrl: service.origin });
  expect(await collect(eachStatusRecord((page) => client.noticesPage({ page })))).toEqual([notice]);
  expect(service.seen).toHaveLength(2);
});

it.each([1, 2])("rejects a link back to page %i, which would loop forever", async (next) => {
  const service = await startService((_request, response) =>
    answerJson(response, { notices: [notice], meta: { ...meta, next_page: `?page=${next}` } }),
  );
  const client = createTestStatusClient({ statusUrl: service.origin });
  const error = await failureOf(collect(eachStatusRecord((page) => client.noticesPage({ page }))));
  expect(error).toMatchObject({ name: "UnexpectedResponseError", recordPath: "meta.next_page" });
  expect(service.seen).toHaveLength(next);
});

it("retries failures and recognises missing records", async () => {
  const service = await startService((request, response, count) => {
    if (request.path.endsWith("/404")) response.writeHead(404).end();
    else if (count < 3) response.writeHead(503).end();
    else answerJson(response, { page });
  });
  const client = createTestStatusClient({ statusUrl: service.origin });
  expect(await client.page()).toEqual(page);
  expect(service.seen).toHaveLength(3);
  expect((await failureOf(client.notice({ id: 404 }))).name).toBe("NotFoundError");
});

it("rejects a web page", async () => {
  const service = await startService((_request, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>"),
  );
  const client = createTestStatusClient({ statusUrl: service.origin });
  expect((await failureOf(client.page())).name).toBe("UnexpectedResponseError");
});

it("has its own budget and does not send the main API's token", async () => {
  const service = await startService((request, response) => {
    if (request.path.endsWith("/token")) answerJson(response, { access_token: "token-1" });
    else answerJson(response, request.path.includes("/api/") ? { page } : []);
  });
  const stateFile = join(createTempFolder(), "client.db");
  const main = createTestClient({ baseUrl: service.origin, stateFile });
  await collect(main.devices.status({ groupId: 7 }));
  await createTestStatusClient({ statusUrl: service.origin, stateFile }).page();
  const state = openClientState(stateFile);
  const budgets = state.all<{ api: string }>("select distinct api from hit order by api");
  state.close();
  expect(budgets).toMatchObject([
    { api: `client-7 at ${service.origin}` },
    { api: `status at ${service.origin}` },
  ]);
  expect(service.seen.at(-1)?.headers).not.toHaveProperty("authorization");
});
