import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SqliteInUseError, translateSqliteError } from "../../src/state/errors.ts";
import { openSqlite, type Sqlite, type SqliteParameter } from "../../src/state/sqlite.ts";
import { createTempFolder } from "../support/temp-folder.ts";

function open(path = join(createTempFolder(), "a.db")): Sqlite {
  const database = openSqlite(path, "state/client", { busyTimeoutMs: 200 });
  onTestFinished(() => database.close());
  return database;
}

it("is readable by its owner only, as are its companion files", () => {
  const folder = createTempFolder();
  const path = join(folder, "a.db");
  writeFileSync(path, "", { mode: 0o644 });
  open(path).run("insert into budget values ('a', 1)");
  const names = readdirSync(folder).sort();
  expect(names).toEqual(["a.db", "a.db-shm", "a.db-wal"]);
  for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

it("returns plain rows and binds whole numbers as integers", () => {
  const database = open();
  expect(database.get("select ? as a, typeof(?) as b, typeof(?) as c, ? as d", [1.5, 7, 7.5, null])).toEqual({
    a: 1.5,
    b: "integer",
    c: "real",
    d: null,
  });
  expect(database.find("select 1 where false")).toBeUndefined();
  expect(database.run("insert into budget values ('a', 1), ('b', 2)")).toBe(2);
  expect(database.all("select api from budget order by api")).toEqual([{ api: "a" }, { api: "b" }]);
});

it("binds instants, booleans and missing values, and rejects other values", () => {
  const database = open();
  const values = [new Date(0), true, false, undefined];
  expect(
    database.values(
      "select value from (select ? as value union all select ? union all select ? union all select ?)",
      values,
    ),
  ).toEqual(["1970-01-01T00:00:00.000Z", 1, 0, null]);
  expect(() => database.run("select ?", [{} as unknown as SqliteParameter])).toThrow(TypeError);
});

it("rolls back a transaction that throws", () => {
  const database = open();
  expect(() =>
    database.immediate(() => {
      database.run("insert into budget values ('a', 1)");
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(database.all("select * from budget")).toEqual([]);
});

it("can be created by several processes at once", async () => {
  const path = join(createTempFolder(), "a.db");
  const script = `import { openSqlite } from ${JSON.stringify(new URL("../../dist/state/sqlite.js", import.meta.url).href)};
    const database = openSqlite(${JSON.stringify(path)}, "state/client");
    for (let i = 0; i < 50; i++) database.immediate(() => {
      const row = database.find("select not_before_ms as n from budget");
      if (row) database.run("update budget set not_before_ms = ?", [row.n + 1]);
      else database.run("insert into budget values ('a', 1)");
    });`;
  const codes = await Promise.all(
    Array.from({ length: 6 }, () => {
      const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      return new Promise((resolve) => child.on("close", resolve));
    }),
  );
  expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
  expect(open(path).get("select not_before_ms from budget")).toEqual({ not_before_ms: 300 });
});

it("reports a damaged file", () => {
  const path = join(createTempFolder(), "a.db");
  writeFileSync(path, "this is a text, not a database\n".repeat(200));
  expect(() => open(path)).toThrow(expect.objectContaining({ code: "SQLITE_DAMAGED" }));
  expect(() => open(path)).toThrow(/a\.db is damaged and can't be read as a database\. Move it away/);
});

it("reports damage if the tables differ from their schema", () => {
  const path = join(createTempFolder(), "a.db");
  const database = open(path);
  database.script("alter table budget rename column not_before_ms to not_beforf_ms");
  expect(() => database.find("select not_before_ms from budget")).toThrow(
    expect.objectContaining({ code: "SQLITE_DAMAGED" }),
  );
  database.script("drop table budget");
  expect(() => database.run("delete from budget")).toThrow(
    expect.objectContaining({ code: "SQLITE_DAMAGED" }),
  );
  database.close();
});

it.each([
  ["its own pages", 13, "database or disk is full"],
  ["the companion file that is created first", 4874, "disk I/O error"],
])("reports a full disk if there is no room for %s", (_what, rawCode, message) => {
  const error = translateSqliteError("a.db", Object.assign(new Error(message), { rawCode }));
  expect(error).toMatchObject({ code: "SQLITE_UNUSABLE" });
  expect(String(error)).toContain("a.db can't be used: the disk is full; make room, and run this again.");
});

it("reports a file written by a newer version", () => {
  const path = join(createTempFolder(), "a.db");
  const database = open(path);
  database.run("insert into migration values ('0099_later.sql', 'x')");
  database.close();
  expect(() => open(path)).toThrow(expect.objectContaining({ code: "MIGRATION_MISMATCH" }));
});

it("reports a folder that can't be created", () => {
  const file = join(createTempFolder(), "file");
  writeFileSync(file, "");
  expect(() => open(join(file, "a.db"))).toThrow(expect.objectContaining({ code: "SQLITE_UNUSABLE" }));
});

it("reports a read-only folder", () => {
  const folder = createTempFolder();
  chmodSync(folder, 0o755);
  const locked = join(folder, "locked");
  mkdirSync(locked, { mode: 0o555 });
  const script = `import { openSqlite } from ${JSON.stringify(new URL("../../dist/state/sqlite.js", import.meta.url).href)};
    try { openSqlite(${JSON.stringify(join(locked, "a.db"))}, "state/client"); }
    catch (error) { process.stdout.write(error.category + ": " + error.message); }`;
  // Root may write anywhere, so another user tries.
  const isRoot = process.getuid?.() === 0;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    ...(isRoot ? { uid: 65534, gid: 65534 } : {}),
  });
  expect(stdout).toBe(`usage: ${join(locked, "a.db")} can't be used: this user may not write there.`);
});

it("reports another process's open transaction", () => {
  const database = open();
  const other = open(database.path);
  const begin = () => database.immediate(() => other.run("insert into budget values ('a', 1)"));
  expect(begin).toThrow(SqliteInUseError);
});
