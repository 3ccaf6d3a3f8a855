import { expect, it } from "vitest";
import { ServiceAddress } from "../../../src/api/transport/service-address.ts";

const address = new ServiceAddress("https://api.example.com/root/v5/");

it.each([
  ["https://api.example.com", "/root/v5/ext/devices/status?group_id=1", true],
  ["https://api.example.com:443", "/root/v5/ext/a", true],
  ["https://api.example.com", "/root/v5", false],
  ["https://api.example.com", "/root/v55/ext/a", false],
  ["https://api.example.com", "/root/v5/../v6/a", false],
  ["https://api.example.com", "/root/v5/%2e%2e/v6/a", false],
  ["http://api.example.com", "/root/v5/ext/a", false],
  ["https://api.example.com:8443", "/root/v5/ext/a", false],
  ["https://api.example.com.evil.test", "/root/v5/ext/a", false],
])("%s %s: %s", (origin, path, isOwn) => {
  expect(address.owns(origin, path)).toBe(isOwn);
});

it("joins paths to the root", () => {
  expect(address.pathTo("ext/a")).toBe("/root/v5/ext/a");
  expect(new ServiceAddress("http://localhost:8080").pathTo("ext/a")).toBe("/ext/a");
});

it("sends the token below a root that begins with two slashes", () => {
  const twice = new ServiceAddress("https://api.example.com//v5");
  expect(twice.owns("https://api.example.com", twice.pathTo("ext/a"))).toBe(true);
});
