import { expect, it } from "vitest";
import { ServiceAddress } from "../../../src/api/transport/service-address.ts";

const address = new ServiceAddress("https://api.example.com/root/v5/");

it("joins paths to the root", () => {
  expect(address.pathTo("ext/a")).toBe("/root/v5/ext/a");
  expect(new ServiceAddress("http://localhost:8080").pathTo("ext/a")).toBe("/ext/a");
  expect(new ServiceAddress("https://api.example.com//v5").pathTo("ext/a")).toBe("//v5/ext/a");
});
