import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
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
  mkdirSync(brand, { recursive: true });
  const environment = { VENUE_HOME: join(workingFolder, "home"), VENUE_NOW: "2026-11-21T06:00:00Z" };
  return {
    dataFolder,
    writeBrand: (name: string, text: string) => writeFileSync(join(brand, name), text),
    venue: (...args: string[]) => runVenue(args, { environment, workingFolder }),
    read: (name: string) => readFileSync(join(workingFolder, name), "utf8"),
    write: (name: string, text: string) => writeFileSync(join(workingFolder, name), text),
  };
}

it("writes a proof with the defaults, and verifies it as a page and as a workbook", async () => {
  const { venue, read, write, writeBrand } = await setUp();
  writeBrand("logo.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>");
  writeBrand("brand.css", "p { color: red } /* </style> */");
  writeBrand("about.md", "# Höhe AG\nAsk <b>us</b>.\n\n</template><script>alert(3)</script>");
  for (const file of ["proof.html", "proof.xlsx"]) {
    const written = await venue("proof", "--where", "advertiser=acme", "--out", file);
    expect(written.code, written.stderr).toBe(0);
    expect(written.stdout).toContain("from 24 October to 20 November 2026");
    expect(await venue("proof", "verify", file)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Equal: /),
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
  expect(JSON.parse(changed.stdout)).toMatchObject({
    isEqual: false,
    hasRowHash: true,
    differences: [],
    isSameBrand: true,
  });
  writeBrand("about.md", "Other");
  expect((await venue("proof", "verify", "proof.html", "--json")).stdout).toContain('"isSameBrand": false');
});

it("covers campaigns without plays and other periods, and names what it lacks", async () => {
  const { venue, read, writeBrand } = await setUp();
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
    expect(read("proof.html")).not.toContain("so it covers each day");
  }
  expect((await prove("--campaign", "2", "--from", period.from)).stdout).not.toContain("complete only");
  expect(read("proof.html")).toContain("so it covers each day");
  expect(await venue("proof", "verify", "proof.html")).toMatchObject({ code: 0 });
  const many = await prove("--campaign", "1", "--from", period.from);
  expect(many).toMatchObject({ code: 0, stdout: expect.stringContaining("(messaging 1) and <b>") });

  const refusals = [
    [["--from", period.from], "A proof needs its campaigns"],
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
  for (const css of [
    "@import 'x.css';",
    "p { background: url(http://a.example/x.png) }",
    "p { b\\61ckground: u\\72l(x) }",
  ]) {
    writeBrand("brand.css", css);
    expect(await prove("--campaign", "1")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("own/brand/brand.css"),
    });
  }

  const empty = await setUp({ isPublished: false });
  expect(await empty.venue("proof", "--campaign", "1", "--out", "proof.html")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Nothing is published"),
  });
});
