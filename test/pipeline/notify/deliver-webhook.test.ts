import { writeFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { Settings } from "../../../src/config/settings.ts";
import type { DigestSection } from "../../../src/pipeline/notify/compose-digest.ts";
import { renderMail } from "../../../src/pipeline/notify/delivery/render-message.ts";
import { addWebhook } from "../../../src/pipeline/notify/delivery/webhooks.ts";
import { startConnectProxy } from "../../support/connect-proxy.ts";
import { serveRequests } from "../../support/serve-requests.ts";
import { type Delivery, digest, setUpDelivery } from "./set-up-delivery.ts";

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver with two webhooks, `ops` and `boss`, and an outbox configured with them. */
async function setUpReceiver(answer: RequestListener) {
  const received: Received[] = [];
  const origin = await serveRequests(async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body });
    answer(request, response);
  });
  const delivery = setUpDelivery();
  const settings = new Settings({ flags: {}, environment: delivery.environment, workingFolder: "/" });
  for (const name of ["ops", "boss"])
    addWebhook(settings, name, `${origin}/${name}/secret-path?key=secret-key`);
  return { received, delivery, origin };
}

/** All output for the operator. */
function shown(delivery: Delivery, problems: readonly string[]): string {
  return problems.join() + delivery.log() + JSON.stringify(delivery.outbox.listUndelivered(new Date(0)));
}

const answerWith =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end();

it("posts JSON with an idempotency key", async () => {
  const { received, delivery } = await setUpReceiver(answerWith(202));
  delivery.add("id-1", "webhook:ops");
  expect(await delivery.deliver()).toEqual({ sent: 1, postponed: 0, undelivered: 0, problems: [] });
  expect(received).toHaveLength(1);
  expect(received[0]?.headers).toMatchObject({
    "content-type": "application/json",
    "idempotency-key": "id-1",
  });
  expect(JSON.parse(received[0]?.body ?? "")).toEqual({
    id: "id-1",
    created_at: "2026-11-21T05:30:00.000Z",
    ...digest,
  });
});

it("posts a template filled in, and escaped if it is JSON", async () => {
  const { received, delivery, origin } = await setUpReceiver(answerWith(204));
  const settings = new Settings({ flags: {}, environment: delivery.environment, workingFolder: "/" });
  const text = '{"a": "{subject}", "n": {count}, "x": ["{status}", "{link}", "{id}", "{text}"]}';
  addWebhook(settings, "ops", `${origin}/ops`, { body: { text, isJson: true } });
  addWebhook(settings, "boss", `${origin}/boss`, {
    body: { text: "{STATUS}: {subject} {other}", isJson: false },
  });
  const named = { ...digest, headline: 'Spree "Bar" \\ {count}' };
  const [section] = digest.sections as [DigestSection];
  const over = { ...section, tables: section.tables.filter(({ change }) => change === "over") };
  const view = { ...section, tables: [{ columns: ["Zone"], rows: [["North gym"]], omitted: 0 }] };
  delivery.add("id-1", "webhook:ops", named);
  delivery.add("id-2", "webhook:boss", { ...digest, headline: "Up again", sections: [over] });
  delivery.add("id-3", "webhook:boss", { ...digest, headline: "Plays", sections: [view] });
  expect(await delivery.deliver()).toMatchObject({ sent: 3 });
  expect(received.map(({ headers }) => headers["content-type"])).toEqual([
    "application/json",
    ...Array(2).fill("text/plain; charset=utf-8"),
  ]);
  const mail = renderMail(named).text;
  expect(JSON.parse(received[0]?.body ?? "")).toEqual({
    a: named.headline,
    n: 6,
    x: ["problem", digest.sections[0]?.link, "id-1", mail],
  });
  expect(received.slice(1).map(({ body }) => body)).toEqual([
    "over: Up again {other}",
    "report: Plays {other}",
  ]);
});

it("posts through the proxy", async () => {
  const { received, delivery, origin } = await setUpReceiver(answerWith(202));
  const webhooks = { ops: { url: "http://hooks.test/secret-path", form: "json" } };
  writeFileSync(join(delivery.environment.VENUE_HOME ?? "", "webhooks.json"), JSON.stringify(webhooks));
  const proxy = await startConnectProxy(origin);
  vi.stubEnv("HTTP_PROXY", proxy.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  delivery.add("id-1", "webhook:ops");
  expect(await delivery.deliver()).toMatchObject({ sent: 1, problems: [] });
  expect([received.length, proxy.requested]).toEqual([1, ["hooks.test:80"]]);
});

it.each<[string, RequestListener, { waits: boolean; others: boolean; reason: RegExp }]>([
  [
    "400",
    answerWith(400),
    {
      waits: false,
      others: true,
      reason: /answers with status 400\. If its URL has changed, run: venue notify add ops$/,
    },
  ],
  ["401", answerWith(401), { waits: true, others: false, reason: /status 401/ }],
  ["410", answerWith(410), { waits: false, others: true, reason: /status 410/ }],
  ["429", answerWith(429), { waits: true, others: false, reason: /status 429/ }],
  ["500", answerWith(500), { waits: true, others: false, reason: /status 500/ }],
  [
    "a redirect",
    answerWith(302, { Location: "/elsewhere" }),
    { waits: true, others: false, reason: /status 302 \(redirects are not followed\)\. If/ },
  ],
  [
    "a cut connection",
    ({ socket }) => socket.destroy(),
    { waits: true, others: false, reason: /^The webhook ops broke the connection\. Check its URL/ },
  ],
  ["no answer", () => {}, { waits: true, others: false, reason: /did not answer within 0.3 s/ }],
  [
    "something other than HTTP",
    ({ socket }) => socket.end("secret-path? secret-key!\r\n\r\n"),
    { waits: true, others: false, reason: /^The webhook ops .*\.$/ },
  ],
])("after %s", async (_, answer, { waits, others, reason }) => {
  const { received, delivery } = await setUpReceiver(answer);
  delivery.add("id-1", "webhook:ops");
  delivery.add("id-2", "webhook:ops");
  const { problems, ...counts } = await delivery.deliver({ timeoutMs: 300 });
  expect(counts).toEqual({ sent: 0, postponed: waits ? 2 : 0, undelivered: waits ? 0 : 2 });
  expect(problems).toEqual([expect.stringMatching(reason)]);
  expect(received).toHaveLength(others ? 2 : 1);
  expect(shown(delivery, problems)).not.toContain("secret");
});

it("an abort ends the wait for an answer, and the message stays in the outbox", async () => {
  const stop = new AbortController();
  const { delivery } = await setUpReceiver(() => stop.abort(new Error("stopped")));
  delivery.add("id-1", "webhook:ops");
  await expect(delivery.deliver({ signal: stop.signal })).rejects.toThrow("stopped");
  expect(delivery.outbox.listWaiting()).toMatchObject([{ id: "id-1" }]);
});

it("a failing webhook does not delay messages to another", async () => {
  const { received, delivery } = await setUpReceiver(({ url = "", socket }, response) =>
    url.startsWith("/ops") ? socket.destroy() : response.end("ok"),
  );
  delivery.add("id-1", "webhook:ops");
  delivery.add("id-2", "webhook:boss");
  delivery.add("id-3", "webhook:unknown");
  expect(await delivery.deliver()).toMatchObject({
    sent: 1,
    postponed: 2,
    problems: [
      "The webhook ops broke the connection. Check its URL, and whether it is up.",
      "The webhook unknown is not stored. Add it: venue notify add unknown",
    ],
  });
  expect(received).toHaveLength(2);
});

it("retries in each run, gives up after three days, and deletes the message a month later", async () => {
  const { received, delivery } = await setUpReceiver(answerWith(503, { "Retry-After": "604800" }));
  delivery.add("id-1", "webhook:ops");
  for (let hours = 0; hours <= 80; hours += 8) {
    await delivery.deliver();
    delivery.wait(8);
  }
  expect(received.map(({ headers }) => headers["idempotency-key"])).toEqual(Array(10).fill("id-1"));
  expect([delivery.outbox.countWaiting(), delivery.contents()]).toEqual([0, [null]]);
  const endedAt = new Date("2026-11-24T05:30:00Z");
  expect(delivery.outbox.listUndelivered(endedAt)).toMatchObject([{ id: "id-1", endedAt }]);
  delivery.wait(30 * 24);
  await delivery.deliver();
  expect(delivery.outbox.listUndelivered(new Date(0))).toEqual([]);
});

it("messages to one recipient keep their order", async () => {
  const statuses = [503, 503];
  const { received, delivery } = await setUpReceiver(({ url = "" }, response) =>
    response.writeHead(url.startsWith("/ops") ? (statuses.shift() ?? 200) : 200).end(),
  );
  const keys = () => received.map(({ headers }) => headers["idempotency-key"]);
  delivery.add("first", "webhook:ops");
  await delivery.deliver();
  delivery.wait(1 / 60);
  delivery.add("second", "webhook:ops");
  delivery.add("other", "webhook:boss");
  expect(await delivery.deliver()).toMatchObject({ sent: 1, postponed: 2 });
  expect(keys()).toEqual(["first", "first", "other"]);
  expect(await delivery.deliver()).toMatchObject({ sent: 2 });
  expect(keys()).toEqual(["first", "first", "other", "first", "second"]);
});
