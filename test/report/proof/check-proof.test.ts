import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { readXlsx, writeXlsx } from "hucre/xlsx";
import { expect, it, onTestFinished } from "vitest";
import {
  buildProof,
  parseProofOptions,
  type TypedProofOptions,
} from "../../../src/report/proof/build-proof.ts";
import { checkProof } from "../../../src/report/proof/check-proof.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { unzip, type ZipPart, zipParts } from "../../../src/util/files/zip-parts.ts";
import { identifyKey } from "../../../src/util/signed-text.ts";
import { share } from "../../support/long-suite.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { drawProofWorld, format, key, period, publicKey } from "./proof-world.ts";

const fixtures = join(import.meta.dirname, "..", "..", "fixtures");

async function prove(words: TypedProofOptions) {
  const folder = createTempFolder();
  await publishFixture(folder, drawProofWorld(16).fixture);
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  const brand = { about: "Höhe AG", logo: "<svg xmlns='http://www.w3.org/2000/svg'/>" };
  return await buildProof(mart, parseProofOptions(words), brand, new Date("2026-11-21T06:00:00Z"));
}

const findingOf = (bytes: Buffer, by = publicKey) => checkProof(bytes, by).finding;

/** Returns the findings of copies in which one byte at a time differs. */
function alterBytes(bytes: Buffer, positions: Iterable<number>, draw = (_below: number) => 0): Set<string> {
  const findings = new Set<string>();
  for (const at of positions) {
    const before = bytes[at] ?? 0;
    bytes[at] = before ^ (1 << draw(8));
    findings.add(findingOf(bytes));
    bytes[at] = before;
  }
  return findings;
}

it("detects any altered byte of a page", async () => {
  const small = await format("proof.html", await prove({ from: period.to, to: period.to, campaign: ["2"] }));
  expect(small.length).toBeLessThan(50_000);
  expect(findingOf(small)).toBe("signed");
  const step = share(7, 1, 1);
  const positions = [...small.keys()].filter((at) => at % step === 0 || at > small.length - 300);
  const findings = alterBytes(small, positions);
  expect([...findings].sort()).toEqual(["changed", "not_a_proof", "other_key"]);
  // Another spelling of the same signature.
  const upper = small.toString("latin1").replace(/ [0-9a-f]{128} /, (hex) => hex.toUpperCase());
  expect(findingOf(Buffer.from(upper, "latin1"))).toBe("changed");
  for (const added of [`${small}\n`, ` ${small}`, small.subarray(0, -1)])
    expect(findingOf(Buffer.from(added))).toBe("changed");

  const large = await format("proof.html", await prove({ ...period, where: ["advertiser=Acme"] }));
  expect(large.length).toBeGreaterThan(small.length * 1.5);
  const draw = randomNumbers(7);
  const drawn = Array.from({ length: share(1_000, 10_000, 10_000) }, () => draw(large.length));
  expect(alterBytes(large, drawn, draw).has("signed")).toBe(false);
});

it("detects altered, added, removed and moved parts of a workbook", async () => {
  const workbook = await format("proof.xlsx", await prove({ ...period, where: ["advertiser=Acme"] }));
  expect(findingOf(workbook)).toBe("signed");
  const parts = unzip(workbook);
  const signature = parts.at(-1)?.name ?? "";
  // Packed again without changes, its readers see the same.
  expect(findingOf(await zipParts(parts))).toBe("signed");
  const findings = new Map<string, string>();
  const check = async (what: string, changed: readonly ZipPart[]) =>
    findings.set(what, findingOf(await zipParts(changed)));
  for (const [at, part] of parts.entries()) {
    const others = parts.filter((one) => one !== part);
    const content = Buffer.from(part.content);
    content[Math.floor(content.length / 2)] = (content[Math.floor(content.length / 2)] ?? 0) ^ 1;
    await check(`alters ${part.name}`, parts.toSpliced(at, 1, { ...part, content }));
    await check(`renames ${part.name}`, parts.toSpliced(at, 1, { ...part, name: `${part.name}x` }));
    await check(`removes ${part.name}`, others);
    await check(`doubles ${part.name}`, [...parts, part]);
    if (at > 0) await check(`moves ${part.name}`, [part, ...others]);
    await check(`adds before ${part.name}`, parts.toSpliced(at, 0, { name: "x.xml", content }));
  }
  const lost = [`renames ${signature}`, `removes ${signature}`];
  expect(new Set(findings.values())).toEqual(new Set(["changed", "saved_again"]));
  expect(
    [...findings].flatMap(([what, finding]) => (finding === "saved_again" ? [what] : [])).sort(),
  ).toEqual(lost.sort());

  const draw = randomNumbers(8);
  const drawn = Array.from({ length: share(300, 2_000, 2_000) }, () => draw(workbook.length));
  for (const at of drawn) {
    const changed = Buffer.from(workbook);
    changed[at] = (changed[at] ?? 0) ^ (1 << draw(8));
    // Bytes of the container may change, e.g. times, as long as all contents are the same.
    if (findingOf(changed) !== "signed") continue;
    expect(unzip(changed).map(({ name, content }) => [name, content.toString()])).toEqual(
      parts.map(({ name, content }) => [name, content.toString()]),
    );
  }
});

it("refuses archives that programs read differently", async () => {
  const workbook = await format(
    "proof.xlsx",
    await prove({ from: period.to, to: period.to, campaign: ["2"] }),
  );
  const name = Buffer.from("xl/worksheets/sheet1.xml");
  const local = Buffer.from(workbook);
  local.write("xl/worksheets/sheet9.xml", local.indexOf(name));
  const sizes = Buffer.from(workbook);
  const directory = sizes.readUInt32LE(sizes.length - 6);
  sizes.writeUInt32LE(sizes.readUInt32LE(directory + 24) + 1, directory + 24);
  const counted = Buffer.from(workbook);
  counted.writeUInt16LE(1, counted.length - 14);
  for (const changed of [
    local,
    sizes,
    counted,
    Buffer.concat([workbook, Buffer.from("more")]),
    Buffer.concat([workbook, workbook.subarray(-22)]),
  ])
    expect(["changed", "not_a_proof"]).toContain(findingOf(changed));
  const text = Buffer.from("<!doctype html><h1>Another proof</h1>");
  expect(findingOf(hideInZip(workbook, {}))).toBe("signed");
  for (const place of ["extra", "directoryExtra", "comment", "afterContent"] as const)
    expect(["changed", "not_a_proof"], place).toContain(findingOf(hideInZip(workbook, { [place]: text })));
});

/** Returns an archive with a text where readers of its parts see none: in fields of the first part, or after its end. */
function hideInZip(
  bytes: Buffer,
  places: Partial<Record<"extra" | "directoryExtra" | "comment" | "afterContent", Buffer>>,
): Buffer {
  const none = Buffer.alloc(0);
  const { extra = none, directoryExtra = none, comment = none, afterContent = none } = places;
  const end = Buffer.from(bytes.subarray(-22));
  const directoryAt = end.readUInt32LE(16);
  const entry = Buffer.from(bytes.subarray(directoryAt, directoryAt + 46));
  const name = bytes.subarray(directoryAt + 46, directoryAt + 46 + entry.readUInt16LE(28));
  const size = entry.readUInt32LE(20);
  const contentAt = 30 + name.length;
  const header = Buffer.from(bytes.subarray(0, 30));
  const isStreamed = (entry.readUInt16LE(8) & 8) !== 0;
  const rest = Buffer.from(bytes.subarray(contentAt + size, directoryAt));
  entry.writeUInt32LE(size + afterContent.length, 20);
  if (isStreamed) rest.writeUInt32LE(size + afterContent.length, 8);
  else header.writeUInt32LE(size + afterContent.length, 18);
  header.writeUInt16LE(extra.length, 28);
  entry.writeUInt16LE(directoryExtra.length, 30);
  entry.writeUInt16LE(comment.length, 32);
  const others = Buffer.from(bytes.subarray(directoryAt + 46 + name.length, -22));
  const added = extra.length + afterContent.length;
  for (let at = 0; at < others.length; at += 46 + others.readUInt16LE(at + 28))
    others.writeUInt32LE(others.readUInt32LE(at + 42) + added, at + 42);
  const content = bytes.subarray(contentAt, contentAt + size);
  const parts = [header, name, extra, content, afterContent, rest];
  const directory = Buffer.concat([entry, name, directoryExtra, comment, others]);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(directoryAt + added, 16);
  return Buffer.concat([...parts, directory, end]);
}

it("names other keys, old proofs, saved workbooks and other files", async () => {
  const document = await prove({ from: period.to, to: period.to, campaign: ["2"] });
  const other = generateKeyPairSync("ed25519");
  for (const file of ["proof.html", "proof.xlsx"] as const) {
    const bytes = await format(file, document);
    expect(checkProof(bytes, createPublicKey(key))).toMatchObject({
      finding: "signed",
      frame: { scope: { period: { from: period.to } } },
    });
    const { finding, text } = checkProof(bytes, other.publicKey);
    expect(finding).toBe("other_key");
    for (const one of [publicKey, other.publicKey]) expect(text).toContain(identifyKey(one));
    const old = readFileSync(join(fixtures, `unsigned-${file}`));
    expect(findingOf(old)).toBe("unsigned");
  }
  const { sheets } = await readXlsx(await format("proof.xlsx", document));
  const saved = Buffer.from(await writeXlsx({ sheets: sheets.map(({ name, rows }) => ({ name, rows })) }));
  expect(findingOf(saved)).toBe("saved_again");
  const facts = { name: "docProps/app.xml", content: Buffer.from("<Application>Calc 7</Application>") };
  const named = await zipParts([...unzip(saved).filter(({ name }) => name !== facts.name), facts]);
  expect(checkProof(named, publicKey).text).toContain("Calc 7");
  const others = [
    "",
    "<html>",
    "PK no workbook",
    await writeXlsx({ sheets: [{ name: "Proof", rows: [["a"]] }] }),
  ];
  for (const bytes of others) expect(findingOf(Buffer.from(bytes))).toBe("not_a_proof");
  // The signed list of a workbook's parts is not a page.
  const list = unzip(await format("proof.xlsx", document)).at(-1)?.content ?? Buffer.alloc(0);
  expect(findingOf(list)).toBe("not_a_proof");
  // Nor is a page such a list.
  const page = { name: "venue-proof.xml", content: await format("proof.html", document) };
  expect(findingOf(await zipParts([page]))).toBe("changed");
});

it("unpacks no bomb", async () => {
  const zeros = Buffer.alloc(100_000_000);
  const content = deflateRawSync(zeros);
  const bomb = await zipParts(Array.from({ length: 6 }, (_, part) => ({ name: `${part}.xml`, content })));
  // Declares the stored contents as compressed.
  for (let at = bomb.indexOf("PK\u0001\u0002"); at >= 0; at = bomb.indexOf("PK\u0001\u0002", at + 1)) {
    bomb.writeUInt16LE(8, at + 10);
    bomb.writeUInt32LE(crc32(zeros), at + 16);
  }
  expect(bomb.length).toBeLessThan(1_000_000);
  expect(checkProof(bomb, publicKey)).toMatchObject({
    finding: "not_a_proof",
    text: expect.stringContaining("more than 500 MB unpacked"),
  });
  const many = await zipParts(
    Array.from({ length: 300 }, (_, at) => ({ name: `${at}`, content: Buffer.alloc(0) })),
  );
  expect(checkProof(many, publicKey).text).toContain("300 parts");
});
