import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { writeReport, writeReportFile } from "../../../src/report/format/write-report.ts";
import type { Report, ReportRow } from "../../../src/report/result-types.ts";
import { runProcess } from "../../support/run-process.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

async function* count(rows: number, failAt = Number.POSITIVE_INFINITY): AsyncIterable<ReportRow> {
  for (let row = 0; row < rows; row += 1) {
    if (row === failAt) throw new Error("rows ended early");
    yield [row, "x".repeat(100)];
  }
}

function reportOf(rows: AsyncIterable<ReportRow>): Report {
  const columns = [
    { name: "n", type: "integer" },
    { name: "t", type: "text" },
  ] as const;
  return { title: "T", filters: [], dataAsOf: null, version: "v000001", columns, rows, notes: [] };
}

it("writes to a stream at its reader's pace, and leaves it open", async () => {
  const stream = new PassThrough({ highWaterMark: 1024 });
  let text = "";
  stream.on("data", (piece) => {
    text += piece;
  });
  await writeReport(reportOf(count(3000)), stream, { format: "csv" });
  expect(stream.writable).toBe(true);
  stream.end();
  expect(text.split("\r\n")).toHaveLength(3002);
});

it.each(["csv", "json", "html", "md", "table"] as const)(
  "escapes control characters on a terminal, and writes them unchanged to a pipe: %s",
  async (format) => {
    const harm = "\u001b[2J\u0007\u009b1A\u202ebar\ufeff";
    const write = async (isTerminal: boolean) => {
      const columns = [{ name: `name ${harm}`, type: "text" }] as const;
      const rows = (async function* () {
        yield [`Bar ${harm}`];
      })();
      const stream = new PassThrough();
      let text = "";
      stream.on("data", (piece) => {
        text += piece;
      });
      await writeReport({ ...reportOf(rows), columns, rows }, stream, { format, isTerminal });
      return text;
    };
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    const harmful = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\ufeff]/;
    const shown = await write(true);
    expect(shown).not.toMatch(harmful);
    expect(shown).toContain("Bar");
    if (format === "csv") expect(await write(false)).toBe(`name ${harm}\r\nBar ${harm}\r\n`);
    if (format === "json") expect(JSON.parse(shown)).toEqual(JSON.parse(await write(false)));
  },
);

it("ends quietly when the reader closes the stream, without producing the rest", async () => {
  let made = 0;
  async function* endless(): AsyncIterable<ReportRow> {
    for (;;) {
      made += 1;
      yield [made, "x"];
    }
  }
  const gone = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" })),
  });
  await writeReport(reportOf(endless()), gone, { format: "csv" });
  expect(made).toBeGreaterThan(0);
});

it("ends quietly in a real pipe to head", async () => {
  const script = `
    import { writeReport } from "${new URL("../../../dist/report/format/write-report.js", import.meta.url)}";
    async function* rows() { for (let n = 0; ; n += 1) yield [n]; }
    await writeReport({ columns: [{ name: "n", type: "integer" }], rows: rows() }, process.stdout, { format: "csv" });
    console.error("ended");`;
  const { stdout, stderr } = await promisify(execFile)("sh", [
    "-c",
    '"$0" --input-type=module -e "$1" | head -n 2',
    process.execPath,
    script,
  ]);
  expect({ stdout, stderr }).toEqual({ stdout: "n\r\n0\r\n", stderr: "ended\n" });
});

it("stops when interrupted, even while the reader waits", async () => {
  const controller = new AbortController();
  const stuck = new Writable({ write: () => undefined });
  const written = writeReport(reportOf(count(100_000)), stuck, { format: "csv", signal: controller.signal });
  setTimeout(() => controller.abort(new Error("stop")), 20);
  await expect(written).rejects.toThrow("stop");
});

it("writes a complete file, and creates missing folders", async () => {
  const folder = createTempFolder();
  const file = join(folder, "a/b/report.csv");
  await writeReportFile(reportOf(count(2)), file, { format: "csv" });
  expect(readFileSync(file, "utf8")).toBe(`n,t\r\n0,${"x".repeat(100)}\r\n1,${"x".repeat(100)}\r\n`);
  expect(readdirSync(join(folder, "a/b"))).toEqual(["report.csv"]);
});

it("keeps the old file when the rows fail, and leaves no temporary file", async () => {
  const folder = createTempFolder();
  const file = join(folder, "report.csv");
  writeFileSync(file, "old");
  await expect(writeReportFile(reportOf(count(9000, 5000)), file, { format: "csv" })).rejects.toThrow(
    "rows ended early",
  );
  expect(readFileSync(file, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["report.csv"]);
});

it("leaves no file when interrupted", async () => {
  const folder = createTempFolder();
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error("stop")), 20);
  const written = writeReportFile(reportOf(count(10_000_000)), join(folder, "r.csv"), {
    format: "csv",
    signal: controller.signal,
  });
  await expect(written).rejects.toThrow("stop");
  expect(readdirSync(folder)).toEqual([]);
});

it("creates the missing target of a link", async () => {
  const folder = createTempFolder();
  symlinkSync("share/new.csv", join(folder, "link.csv"));
  await writeReportFile(reportOf(count(0)), join(folder, "link.csv"), { format: "csv" });
  expect(lstatSync(join(folder, "link.csv")).isSymbolicLink()).toBe(true);
  expect(readdirSync(join(folder, "share"))).toEqual(["new.csv"]);
});

it("replaces the file that a link points to, not the link", async () => {
  const folder = createTempFolder();
  writeFileSync(join(folder, "real.csv"), "old");
  symlinkSync("real.csv", join(folder, "link.csv"));
  await writeReportFile(reportOf(count(0)), join(folder, "link.csv"), { format: "csv" });
  expect(lstatSync(join(folder, "link.csv")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, "real.csv"), "utf8")).toBe("n,t\r\n");
});

it("writes to a device without replacing it", async () => {
  await writeReportFile(reportOf(count(2)), "/dev/null", { format: "csv" });
  expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
});

it.each<[string, string, (folder: string) => string]>([
  ["a folder", "it is a folder", (folder) => folder],
  [
    "a path through a file",
    "part of the path is a file",
    (folder) => {
      writeFileSync(join(folder, "file"), "");
      return join(folder, "file/report.csv");
    },
  ],
  ["a name that is too long", "the name is too long", (folder) => join(folder, "x".repeat(300))],
  ["a full disk", "the disk is full", () => "/dev/full"],
])("explains why it can't write to %s", async (_label, reason, target) => {
  const file = target(createTempFolder());
  const error = await writeReportFile(reportOf(count(2)), file, { format: "csv" }).catch(
    (caught: unknown) => caught,
  );
  expect(error).toMatchObject({ code: "OUTPUT" });
  expect(error).toMatchObject({
    category: "usage",
    message: expect.stringContaining(`${file} can't be written: ${reason}.`),
  });
});

it("explains why it can't write to a read-only folder", async () => {
  const parent = createTempFolder();
  chmodSync(parent, 0o755);
  const folder = join(parent, "closed");
  mkdirSync(folder);
  chmodSync(folder, 0o555);
  const child = fileURLToPath(new URL("write-without-permission.child.mjs", import.meta.url));
  expect(await runProcess(child, [folder])).toContain("permission denied");
  expect(existsSync(join(folder, "r.csv"))).toBe(false);
});
