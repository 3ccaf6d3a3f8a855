import { expect, it } from "vitest";
import { itEachSampled } from "../support/long-suite.ts";
import { ask, type Served, serveForTest } from "./served.ts";

const guarded = async () => await serveForTest({ withoutToken: false });

/** Path and query of the link that the server prints. */
const linkOf = ({ address, origin }: Served) => address.slice(origin.length);
const portOf = ({ origin }: Served) => new URL(origin).port;

/** Opens a link as a browser does. @returns the session cookie */
async function open(server: Served, link = linkOf(server)): Promise<string> {
  const { status, headers } = await ask(server.origin, link);
  expect([status, headers.location]).toEqual([303, "/"]);
  const [cookie = ""] = headers["set-cookie"] ?? [];
  return cookie.split(";")[0] ?? "";
}

const statusOf = async ({ origin }: Served, path: string, cookie?: string) =>
  (await ask(origin, path, { headers: cookie === undefined ? {} : { Cookie: cookie } })).status;

it("refuses every page to clients without the cookie, and explains where to find the link", async () => {
  const server = await guarded();
  for (const path of ["/", "/plays", "/plays.csv", "/cell.sql?campaign=7", "/nothing", "/?token=guessed"]) {
    const { status, text, headers } = await ask(server.origin, path);
    expect([path, status, headers["set-cookie"]]).toEqual([path, 403, undefined]);
    expect(text).toContain("venue serve printed in its terminal");
    expect(text).not.toContain("Fulton Bar");
  }
});

it("the link works once: its cookie stays valid, and another browser is refused", async () => {
  const server = await guarded();
  const cookie = await open(server);
  for (const path of ["/", "/plays?by=zone", "/plays.csv"])
    expect(await statusOf(server, path, cookie)).toBe(200);
  const { status, text, headers } = await ask(server.origin, linkOf(server));
  expect([status, headers["set-cookie"]]).toEqual([403, undefined]);
  expect(text).toContain("This link has been used");
  // Opening the link again in the same browser leads to the pages.
  const again = await ask(server.origin, linkOf(server), { headers: { Cookie: cookie } });
  expect([again.status, again.headers.location, again.headers["set-cookie"]]).toEqual([303, "/", undefined]);
});

it("the cookie is specific to the port, and hidden from scripts", async () => {
  const server = await guarded();
  const { headers } = await ask(server.origin, linkOf(server));
  expect(headers["set-cookie"]).toEqual([
    expect.stringMatching(new RegExp(`^venue-${portOf(server)}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Lax$`)),
  ]);
  expect(headers["cache-control"]).toBe("private, no-cache");
});

itEachSampled(
  [
    ["the link's token", (token: string) => token],
    ["the start of the cookie", (_token: string, session: string) => session.slice(0, -1)],
    ["nothing", () => ""],
  ],
  1,
)("refuses a cookie with %s", async ([_label, forge]) => {
  const server = await guarded();
  const token = new URL(server.address).searchParams.get("token") ?? "";
  const [name = "", session = ""] = (await open(server)).split("=");
  expect(await statusOf(server, "/", `${name}=${session}`)).toBe(200);
  expect(await statusOf(server, "/", `${name}=${forge(token, session)}`)).toBe(403);
});

it("two servers of one host accept only their own cookies", async () => {
  const [first, second] = [await guarded(), await guarded()];
  const cookies = [await open(first), await open(second)];
  expect(new Set(cookies.map((cookie) => cookie.split("=")[0])).size).toBe(2);
  for (const server of [first, second]) expect(await statusOf(server, "/", cookies.join("; "))).toBe(200);
  const renamed = (cookies[1] ?? "").replace(portOf(second), portOf(first));
  expect(await statusOf(first, "/", renamed)).toBe(403);
});

it("a server accepts neither cookie nor link of an earlier server on its port", async () => {
  const first = await guarded();
  const [cookie, link] = [await open(first), linkOf(first)];
  await first.close();
  const next = await serveForTest({ withoutToken: false, port: Number(portOf(first)) });
  expect(await statusOf(next, "/", cookie)).toBe(403);
  expect(await statusOf(next, link)).toBe(403);
  await open(next);
});

it("HEAD does not use up the link", async () => {
  const server = await guarded();
  expect((await ask(server.origin, linkOf(server), { method: "HEAD" })).status).toBe(403);
  await open(server);
});

it("a request for another host does not use up the link", async () => {
  const server = await guarded();
  const foreign = await ask(server.origin, linkOf(server), { headers: { Host: "venue.example" } });
  expect(foreign.status).toBe(421);
  await open(server);
});
