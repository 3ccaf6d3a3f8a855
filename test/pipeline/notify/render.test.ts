import { expect, it } from "vitest";
import type { Digest, DigestSection } from "../../../src/pipeline/notify/compose-digest.ts";
import { renderBody, renderMail } from "../../../src/pipeline/notify/delivery/render-message.ts";
import { digest } from "./set-up-delivery.ts";

const message = { id: "id-1", createdAt: new Date("2026-11-21T05:30:00Z") };

/** Names that an attacker might choose. */
const hostile = `<b>"x"</b>\n* | [a](https://evil.example) _b_ \`c\` <!channel> @here {{DATE(2026)}} \u202e`;

function withNames(name: string): Digest {
  const [section] = digest.sections as [DigestSection];
  const table = {
    change: "new" as const,
    columns: ["Zone", name],
    rows: [
      [name, name],
      ["", "1"],
    ],
    omitted: 0,
  };
  return {
    ...digest,
    headline: name,
    sections: [{ ...section, title: name, answer: name, tables: [table], notes: [name] }],
  };
}

it("mail shows the digest as text", () => {
  const { subject, text } = renderMail(digest);
  expect(subject).toBe(digest.headline);
  expect(text).toMatchSnapshot();
});

it("Slack gets marked text, and Teams an Adaptive Card", () => {
  for (const form of ["slack", "teams"] as const)
    expect(JSON.stringify(renderBody(form, { ...message, digest }))).toMatchSnapshot();
});

it("names are plain text in every form", () => {
  const names = withNames(hostile);
  const { subject, text, html } = renderMail(names);
  expect(subject).not.toMatch(/[\n\u202e]/);
  expect(text).not.toContain("\u202e");
  expect(html).not.toMatch(/<b>&quot;|<b>"|<!channel/);
  expect(html).toContain("&lt;b&gt;&quot;x&quot;&lt;/b&gt;");

  const slack = renderBody("slack", { ...message, digest: names }) as { text: string };
  expect(slack.text.match(/<[^>]*>/g)).toEqual([
    `<${digest.sections[0]?.link?.replace("&", "&amp;")}|Open the report>`,
  ]);
  const [headline = ""] = slack.text.split("\n");
  expect(headline).not.toMatch(/<|>|_b|`c|@here|\[a/);

  const teams = JSON.stringify(renderBody("teams", { ...message, digest: names }));
  // A text block would read Markdown.
  expect(teams).not.toContain('"TextBlock"');
  expect(teams.match(/Action.OpenUrl/g)).toHaveLength(1);

  expect(renderBody("json", { ...message, digest: names })).toMatchObject(names);
});

it.each(["slack", "teams"] as const)("a long digest is truncated to the limit of %s", (form) => {
  const cell = 'Zone "ü" of a long name '.repeat(20);
  const [section] = digest.sections as [DigestSection];
  const rows = Array.from({ length: 20 }, (_, index) => [
    `Campaign ${index}`,
    "North gym",
    "12",
    "2026-11-20",
  ]);
  const columns = ["Campaign", "Zone", "Missed days", "First missed"];
  const tables = [{ change: "new" as const, columns, rows, omitted: 5 }];
  const sections = Array.from({ length: 3 }, (_, index) => ({ ...section, rule: `rule-${index}`, tables }));
  const long = JSON.stringify(renderBody(form, { ...message, digest: { ...digest, sections } }));
  expect(Buffer.byteLength(long)).toBeLessThan(form === "slack" ? 13_000 : 28_000);
  expect(long).toContain("Campaign 0");
  for (const rule of ["rule-0", "rule-1", "rule-2", digest.stop]) expect(long).toContain(rule);

  const worst = {
    ...section,
    verdict: cell,
    tables: [{ ...tables[0], columns, rows: rows.map((row) => row.map(() => cell)), omitted: 0 }],
    notes: Array(20).fill(cell),
  };
  const longest = JSON.stringify(
    renderBody(form, { ...message, digest: { ...digest, headline: cell, sections: Array(200).fill(worst) } }),
  );
  expect(Buffer.byteLength(longest)).toBeLessThan(form === "slack" ? 13_000 : 28_000);
  expect(longest).toContain("more lines");
});
