import { expect, it } from "vitest";
import { MadePages } from "../../../src/serve/requests/readers.ts";

it("a page is made once for all who ask for it at the same time and shortly after, then anew", async () => {
  let now = 1;
  let made = 0;
  const pages = new MadePages(() => now);
  const ask = (key = "/plays") =>
    pages.get(key, async () => {
      made += 1;
      return `${key} ${made}`;
    });
  expect(await Promise.all([ask(), ask(), ask("/quality")])).toEqual(["/plays 1", "/plays 1", "/quality 2"]);
  now = 20_001;
  expect(await ask()).toBe("/plays 1");
  now = 20_002;
  expect(await ask()).toBe("/plays 3");
});

it("a page that could not be made is tried again", async () => {
  const pages = new MadePages(() => 0);
  await expect(pages.get("/", async () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await pages.get("/", async () => "mended")).toBe("mended");
});

it("only so many are kept", async () => {
  const pages = new MadePages(() => 0);
  for (let page = 0; page <= 60; page += 1) await pages.get(String(page), async () => "first");
  expect(await pages.get("0", async () => "second")).toBe("second");
  expect(await pages.get("60", async () => "second")).toBe("first");
});
