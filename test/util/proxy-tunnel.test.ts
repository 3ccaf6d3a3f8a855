import { inspect } from "node:util";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { classifyFault } from "../../src/util/connection-fault.ts";
import { createHttpAgent } from "../../src/util/http-agent.ts";
import { proxyPassword, startConnectProxy } from "../support/connect-proxy.ts";
import { serveRequests } from "../support/serve-requests.ts";

beforeEach(() => {
  for (const name of ["http_proxy", "https_proxy", "no_proxy"])
    for (const either of [name, name.toUpperCase()]) vi.stubEnv(either, undefined);
  return () => vi.unstubAllEnvs();
});

/** Requests a URL whose host name resolves to loopback. @returns the body */
async function request(origin: string): Promise<string> {
  const lookup = (_: string, __: object, done: (error: null, found: object[]) => void) =>
    done(null, [{ address: "127.0.0.1", family: 4 }]);
  const agent = createHttpAgent({ connect: { lookup: lookup as never } });
  onTestFinished(() => agent.destroy());
  const { body } = await agent.request({ origin, path: "/", method: "GET" });
  return await body.text();
}

const serve = () => serveRequests((incoming, response) => response.end(incoming.headers.host));

it.each([
  ["http://service.test", {}, true],
  ["http://service.test", { HTTP_PROXY: "", http_proxy: "set" }, true],
  ["http://service.test", { NO_PROXY: "other.test, ervice.test,test.service.test" }, true],
  ["http://service.test", { NO_PROXY: "service.test:81" }, true],
  ["http://service.test", { HTTP_PROXY: "", HTTPS_PROXY: "set" }, false],
  ["http://service.test", { NO_PROXY: "*" }, false],
  ["http://service.test", { NO_PROXY: "other.test,SERVICE.test" }, false],
  ["http://a.service.test", { no_proxy: "service.test" }, false],
  ["http://a.service.test", { no_proxy: ".service.test" }, false],
  ["http://a.service.test", { no_proxy: "*.service.test" }, false],
  ["http://service.test", { NO_PROXY: "service.test:PORT" }, false],
  ["http://127.0.0.1", {}, false],
  ["http://localhost", {}, false],
] as const)("%s with %j goes through the proxy: %s", async (host, variables, isProxied) => {
  const server = await serve();
  const { port } = new URL(server);
  const proxy = await startConnectProxy(server);
  for (const [name, value] of Object.entries({ HTTP_PROXY: "set", ...variables }))
    vi.stubEnv(name, value === "set" ? proxy.url : value.replace("PORT", port));
  const authority = `${host.slice("http://".length)}:${port}`;
  expect(await request(`http://${authority}`)).toBe(authority);
  expect(proxy.requested).toEqual(isProxied ? [authority] : []);
});

it("uses the proxy of the scheme, and the scheme's port", async () => {
  const proxy = await startConnectProxy(await serve(), 503);
  vi.stubEnv("HTTPS_PROXY", proxy.url.replace("http://", ""));
  await expect(request("https://service.test")).rejects.toThrow(
    expect.objectContaining({ code: "PROXY_503" }),
  );
  expect(proxy.requested).toEqual(["service.test:443"]);
});

it.each([
  ["a wrong login", 200, (url: string) => url.replace("venue:", "other:"), /status 407/, false],
  ["a refusal", 403, (url: string) => url, /status 403/, false],
  ["an unreachable host", 502, (url: string) => url, /status 502/, true],
  ["a closed port", 200, (url: string) => url.replace(/\d+$/, "9"), /proxy refuses connections/, true],
  ["another protocol", 200, (url: string) => url.replace("http:", "socks5:"), /invalid address/, false],
  ["a password that is not encoded", 200, (url: string) => url.replace("%40", "%"), /invalid address/, false],
] as const)("reports %s without the password", async (_label, status, change, problem, isTransient) => {
  const proxy = await startConnectProxy(await serve(), status);
  vi.stubEnv("HTTP_PROXY", change(proxy.url));
  const error = await request("http://service.test").catch((thrown: Error) => thrown);
  const fault = classifyFault(error as Error);
  expect(fault).toEqual({
    problem: expect.stringMatching(problem),
    nextStep: "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.",
    isTransient,
  });
  const shown = inspect([error, fault], { depth: 9, showHidden: true });
  for (const secret of [proxyPassword, encodeURIComponent(proxyPassword), "pa55"])
    expect(shown).not.toContain(secret);
});
