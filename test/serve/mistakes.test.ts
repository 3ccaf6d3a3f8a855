import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, linksOf, type Served, startServer } from "./served.ts";

let server: Served;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.close();
});

/** The headline and full page of an error. */
async function mistake(
  path: string,
): Promise<{ status: number; headline: string | undefined; text: string }> {
  const { status, text } = await ask(server.origin, path);
  return { status, headline: /<p class="headline">([^<]*)</.exec(text)?.[1], text };
}

const field = (text: string, name: string) =>
  new RegExp(`<input [^>]*name="${name}"[^>]*?value="([^"]*)"`).exec(text)?.[1];

it.each([
  "/plays?from=2026-11-25&to=2026-11-20",
  "/plays?zone=Kantstrase",
  "/plays?zone=5",
  "/plays?by=weak",
  "/plays?compare=before&by=week",
  "/single-plays?item=99999999",
  "/cell?zone=81007&date=2026-11-03",
  "/nothing",
])("%s is explained in the page's terms, with the menu and the version", async (path) => {
  const { status, headline, text } = await mistake(path);
  expect(status).toBe(path === "/nothing" ? 404 : 400);
  expect(headline).toMatchSnapshot();
  expect(headline).not.toMatch(/--|venue query/);
  expect(text).toContain('<nav class="views"');
  expect(text).toContain("Published version v000001");
});

it("invalid input stays in the bar, to be corrected", async () => {
  const { text } = await mistake(
    "/plays?by=zone,kind&from=2026-11-25&to=2026-11-20&zone=81003&as-of=v000001",
  );
  expect(["from", "to", "zone", "as-of"].map((name) => field(text, name))).toEqual([
    "2026-11-25",
    "2026-11-20",
    "Fulton Bar",
    "v000001",
  ]);
  expect(text.match(/<input type="checkbox" name="by" value="\w+" checked>/g)).toHaveLength(2);
  expect(field((await mistake("/plays?zone=Kantstrase")).text, "zone")).toBe("Kantstrase");
});

it("an unknown name links to the known ones", async () => {
  for (const path of ["/plays?zone=Kantstrase", "/plays?zone=5"]) {
    const list = linksOf((await mistake(path)).text).find((link) => link.includes("by=zone"));
    expect((await ask(server.origin, list ?? "")).status).toBe(200);
  }
});

it("a typed name becomes an id in the address, and the bar shows the name", async () => {
  const { status, headers } = await ask(
    server.origin,
    "/compliance?campaign=late+night&zone=Fulton+Bar,81007",
  );
  expect([status, headers.location]).toEqual([302, "/compliance?zone=81003,81007&campaign=13"]);
  const { text } = await ask(server.origin, headers.location as string);
  expect(field(text, "zone")).toBe("Fulton Bar, Kantstraße Markt");
  expect(field(text, "campaign")).toBe("Late Night");
  expect(text).toContain('<option value="Fulton Bar">81003');
});
