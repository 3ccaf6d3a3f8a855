import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openClientState } from "../../../src/state/client/client-state.ts";
import { type CachedResponse, ResponseCache } from "../../../src/state/client/response-cache.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

function open() {
  const state = openClientState(join(createTempFolder(), "client.db"));
  onTestFinished(() => state.close());
  return state;
}

function answer(change: Partial<CachedResponse> = {}): CachedResponse {
  const now = Date.now();
  return {
    body: "[]",
    headers: { etag: '"v1"', "cache-control": "max-age=60" },
    keptAt: now,
    staleAt: now + 60_000.5,
    deleteAt: now + 120_000,
    ...change,
  };
}

it("returns the last stored response", () => {
  const answers = new ResponseCache(open(), "client");
  answers.keep("/a", answer());
  const last = answer({ body: '["ü"]', headers: {} });
  answers.keep("/a", last);
  expect(answers.find("/a")).toEqual(last);
  expect(answers.find("/b")).toBeUndefined();
  answers.keep("/b", answer());
  answers.remove("/a");
  expect([answers.find("/a"), answers.find("/b")]).toEqual([undefined, expect.anything()]);
});

it.each(["5bff5d", "5b7b5d"])("does not return a response with a damaged body: %s", (bytes) => {
  const state = open();
  const answers = new ResponseCache(state, "client");
  answers.keep("/a", answer());
  state.run(`update kept_answer set body = x'${bytes}'`);
  expect(answers.find("/a")).toBeUndefined();
});

it("does not return a response stored before the clock was set back", () => {
  const answers = new ResponseCache(open(), "client");
  const ahead = Date.now() + 86_400_000;
  answers.keep("/a", answer({ keptAt: ahead, staleAt: ahead + 60_000, deleteAt: ahead + 120_000 }));
  expect(answers.find("/a")).toBeUndefined();
});

it("keeps the responses of each client separate", () => {
  const state = open();
  const [one, two] = [new ResponseCache(state, "one"), new ResponseCache(state, "two")];
  one.keep("/a", answer({ body: "1" }));
  two.keep("/a", answer({ body: "2" }));
  one.clear();
  expect([one.find("/a"), two.find("/a")?.body]).toEqual([undefined, "2"]);
});

it("removes expired responses", () => {
  const state = open();
  const answers = new ResponseCache(state, "client");
  answers.keep("/a", answer({ deleteAt: Date.now() - 1 }));
  expect(answers.find("/a")).toBeUndefined();
  answers.keep("/b", answer());
  expect(state.all("select url from kept_answer")).toMatchObject([{ url: "/b" }]);
});

it.each([
  ["by count", { responses: 3, bytes: 1000 }, "x"],
  ["by size", { responses: 99, bytes: 9 }, "xxx"],
])("evicts the oldest responses, including other clients': limited by %s", (_label, limits, body) => {
  const state = open();
  const [one, two] = [new ResponseCache(state, "one", limits), new ResponseCache(state, "two", limits)];
  const start = Date.now();
  one.keep("/1", answer({ body, keptAt: start + 1 }));
  two.keep("/2", answer({ body, keptAt: start + 2 }));
  one.keep("/3", answer({ body, keptAt: start + 3 }));
  expect(state.all("select url from kept_answer")).toHaveLength(3);
  two.keep("/4", answer({ body, keptAt: start + 4 }));
  expect(state.all("select url from kept_answer order by url")).toMatchObject([
    { url: "/2" },
    { url: "/3" },
    { url: "/4" },
  ]);
});
