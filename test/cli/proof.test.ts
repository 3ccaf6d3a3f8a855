import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { drawProofWorld, period } from "../report/proof/proof-world.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { runVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const { fixture } = drawProofWorld(16);

async function setUp({ isPublished = true } = {}) {
  const workingFolder = createTempFolder();
  const dataFolder = join(workingFolder, "data");
  const published = join(dataFolder, "published");
  if (isPublished) await publishFixture(published, fixture);
  const brand = join(dataFolder, "own", "brand");
  const environment = { VENUE_HOME: join(workingFolder, "home"), VENUE_NOW: "2026-11-21T06:00:00Z" };
  return {
    dataFolder,
    writeBrand: (name: string, text: string) => {
      mkdirSync(brand, { recursive: true });
      writeFileSync(join(brand, name), text);
    },
    /** Publishes a version in which campaigns have other names, and all days that ran were missed. */
    publishAgain: () =>
      publishFixture(published, {
        ...fixture,
        version: "v000002",
        rows: {
          ...fixture.rows,
          dim_campaign: fixture.rows.dim_campaign?.map((row) => ({ ...row, campaign_name: "New" })) ?? [],
          fact_campaign_zone_day:
            fixture.rows.fact_campaign_zone_day?.map((row) => ({
              ...row,
              state: row.state === "compliant" ? "missed" : (row.state ?? null),
            })) ?? [],
        },
      }),
    list: () => readdirSync(workingFolder),
    venue: (...args: string[]) => runVenue(args, { environment, workingFolder }),
    read: (name: string) => readFileSync(join(workingFolder, name), "utf8"),
    write: (name: string, text: string) => writeFileSync(join(workingFolder, name), text),
  };
}

it("writes signed proofs with the defaults, and compares them with today's data", async () => {
  const { venue, read, write, writeBrand, publishAgain } = await setUp();
  writeBrand("logo.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>");
  writeBrand("about.md", "# Höhe AG\nAsk <b>us</b>.\n\n</template><script>alert(3)</script>");
  for (const file of ["proof.html", "proof.xlsx"]) {
    const written = await venue("proof", "--where", "advertiser=Acme", "--out", file);
    expect(written.code, written.stderr).toBe(0);
    expect(written.stdout).toContain("from 24 October to 20 November 2026");
    expect(await venue("proof", "verify", file)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Signed by this key .*\nEqual: /),
    });
  }
  const page = read("proof.html");
  expect(page.replaceAll(/base64,[^"]*|content="[^"]*"/g, "")).not.toMatch(
    /<script|<b>us|<i>=1|<b>"Campaign/,
  );
  expect(page).toMatch(
    /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src [^;*]*; img-src data:;/,
  );

  write("changed.html", page.replace(/ (ran on) /, " never $1 "));
  const changed = await venue("proof", "verify", "changed.html", "--json");
  expect(changed.code).toBe(1);
  expect(JSON.parse(changed.stdout)).toMatchObject({ finding: "changed" });

  await publishAgain();
  const restated = await venue("proof", "verify", "proof.html");
  expect(restated.code).toBe(1);
  expect(restated.stdout).toMatch(/^Signed by this key .*\nRestated: rows differ from v000002\./);
  expect(restated.stdout).toMatch(/\d+ rows? with other names or addresses now:\n {2}campaigns: /);
  expect(restated.stdout).toMatch(/days: 2026-11-\d\d · Zone .*, state compliant → missed/);
});

it("checks a signature anywhere with only the public key, from a file or a URL", async () => {
  const maker = await setUp();
  await maker.venue("proof", "--campaign", "2", "--out", "proof.html");
  const { stdout: key } = await maker.venue("proof", "key");
  const reader = await setUp({ isPublished: false });
  // Settings are not needed either.
  reader.write(".env", "VENUE_THREADS=many\n");
  reader.write("proof.html", maker.read("proof.html"));
  reader.write("key.pem", key);
  reader.write("other.pem", (await (await setUp()).venue("proof", "key")).stdout);
  const check = (name: string) => reader.venue("proof", "verify", "proof.html", "--key", name);
  const isSigned = {
    code: 0,
    stdout: expect.stringMatching(/^Signed by this key \([0-9a-f]{16}\), unchanged/),
  };
  expect(await check("key.pem")).toMatchObject(isSigned);
  expect(await check("other.pem")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("It refers to key"),
  });
  expect(reader.list()).not.toContain("data");
  expect(
    await reader.venue("proof", "verify", "proof.html", "--key", "key.pem", "--as-of", "v9"),
  ).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--as-of"),
  });
  reader.write(".env", "");
  expect((await reader.venue("proof", "key")).code).toBe(2);
  expect(await reader.venue("proof", "verify", "proof.html")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--key"),
  });

  const server = createServer((request, response) => {
    if (request.url === "/key.pem") response.end(key);
    else if (request.url === "/large.pem") response.end(Buffer.alloc(1_000_000));
    else response.writeHead(404).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await check(`${origin}/key.pem`)).toMatchObject(isSigned);
  for (const [name, problem] of [
    [`${origin}/large.pem`, "larger than"],
    [`${origin}/none.pem`, "404"],
    ["http://127.0.0.1:1/key.pem", "127.0.0.1:1/key.pem"],
    ["proof.html", "not a public Ed25519 key"],
    ["none.pem", "none.pem"],
    ["https://", "It is not a URL."],
  ] as const) {
    const { code, stderr } = await check(name);
    expect([code, stderr]).toEqual([2, expect.stringContaining(name)]);
    expect(stderr).toContain(problem);
  }
});

it("writes a statement on availability", async () => {
  const { venue } = await setUp();
  const words = ["--uptime", "--zone", "1,2", "--from", period.from, "--agreed", "99.5%"];
  const written = await venue("proof", ...words, "--measure", "open_availability", "--out", "up.xlsx");
  expect(written.stdout).toMatch(
    /^Availability while open of zone 1 .* and 2 .*: not measured; agreed by month: 99\.5 %/,
  );
  expect(await venue("proof", "verify", "up.xlsx")).toMatchObject({ code: 0 });
});

it("covers campaigns without plays and other periods, and states what it lacks", async () => {
  const { venue, writeBrand } = await setUp();
  const prove = (...words: string[]) => venue("proof", "--out", "proof.html", ...words);
  const outside = ["--from", "2026-01-01", "--to", "2026-01-07"];
  const known = "the data is complete only from 30 October to 20 November 2026.";
  const nothing = await prove("--campaign", "2", ...outside);
  expect(nothing).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      `is not known to have been scheduled on any day from 1 January to 7 January 2026; ${known}`,
    ),
  });
  // Neither days before the first data nor future ones are claimed to be covered.
  for (const words of [[], ["--from", period.from, "--to", "2027-01-31"]]) {
    expect((await prove("--campaign", "2", ...words)).stdout).toContain(known);
  }
  expect((await prove("--campaign", "2", "--from", period.from)).stdout).not.toContain("complete only");
  expect(await venue("proof", "verify", "proof.html")).toMatchObject({ code: 0 });
  const many = await prove("--campaign", "1", "--from", period.from);
  expect(many).toMatchObject({ code: 0, stdout: expect.stringContaining("(messaging 1) and <b>") });

  const refusals = [
    [["--from", period.from], "A proof needs campaigns"],
    [["--campaign", "Nobody"], 'No campaign is called "Nobody"'],
    [["--where", "advertiser=Nobody"], 'No advertiser is "Nobody"'],
    [["--campaign", "1", "--out", "proof.pdf"], "--out does not take"],
  ] as const;
  for (const [words, message] of refusals)
    expect(await prove(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  expect(await venue("proof", "verify", "missing.html")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("missing.html"),
  });
  writeBrand("logo.svg", "no logo");
  expect(await prove("--campaign", "1")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("brand/logo.svg"),
  });

  const empty = await setUp({ isPublished: false });
  expect(await empty.venue("proof", "--campaign", "1", "--out", "proof.html")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Nothing is published"),
  });
});
