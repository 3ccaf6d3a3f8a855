import { expect, it } from "vitest";
import { extractOneTimeCode } from "../../src/login/login.ts";

const baseUrl = new URL("https://host/v5/");

it.each([
  ["ops@example.com", "ops@example.com"],
  ["ops@example.com", "ops%40example.com"],
  ["ops+1", "ops+1"],
  ["Café 7", "Caf%C3%A9%207"],
  ["100%", "100%25"],
])("accepts the link of the client %s, which writes it %s", (clientId, written) => {
  const link = `https://host/v5/api-clients/${written}/secret?one_time_code=code-1`;
  expect(extractOneTimeCode(link, { clientId, baseUrl })).toBe("code-1");
});

it.each([["other"], ["ops%2540example.com"], ["%"]])("rejects a link for %s", (written) => {
  const link = `https://host/v5/api-clients/${written}/secret?one_time_code=code-1`;
  const refused = () => extractOneTimeCode(link, { clientId: "ops@example.com", baseUrl });
  expect(refused).toThrow(/are for https:\/\/host\/v5\/api-clients\/ops@example\.com\/secret\. Set them/);
});
