import { expect, onTestFinished } from "vitest";
import { NessieError } from "../../src/engines/errors.ts";
import { Nessie, type NessieCommit, type NessieVersion } from "../../src/engines/nessie/nessie.ts";
import { listRelations } from "../../src/report/published/with-shown.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { getSharedCluster, onTrino, openTrino } from "./support/on-trino.ts";

const build = openOn("venue_build");
const mart = openOn("venue_mart");

function openOn(catalog: string) {
  return () => openTrino({ catalog, schema: "branches" });
}

function openNessie(): Nessie {
  const nessie = new Nessie({ url: getSharedCluster().nessieUrl, logger: silentLogger });
  onTestFinished(() => nessie.close());
  return nessie;
}

async function listCommits(nessie: Nessie, from: string | NessieVersion): Promise<NessieCommit[]> {
  const commits = [];
  for await (const commit of nessie.commits(from)) commits.push(commit);
  return commits;
}

/** A branch `build` created from `main`, which has a namespace for these tests. */
async function createBuildBranch(nessie: Nessie): Promise<{ main: NessieVersion; build: NessieVersion }> {
  let main = await nessie.getBranch("main");
  const commits = await listCommits(nessie, main);
  if (!commits.some(({ message }) => message === "Begin"))
    main = await nessie.createNamespace(main, "branches", "Begin");
  const branch = await nessie.findBranch("build");
  return {
    main,
    build: branch ? await nessie.resetBranch(branch, main) : await nessie.createBranch("build", main),
  };
}

onTrino("a merge shows readers all tables of a branch at once", async () => {
  const nessie = openNessie();
  const { main } = await createBuildBranch(nessie);
  const [writer, reader] = [build(), mart()];
  for (const name of ["a", "b"]) await writer.run(`create table ${name} as select 0 as version`);
  expect(await nessie.listTables(main)).toEqual([]);
  expect(await nessie.listTables("build")).toEqual(["branches.a", "branches.b"]);

  let shown = await nessie.merge(await nessie.getBranch("build"), main, { message: "Version 0" });
  const read = async () => await reader.all("select a.version as a, b.version as b from a, b");
  for (const version of [1, 2]) {
    for (const name of ["a", "b"]) await writer.run(`update ${name} set version = ?`, [version]);
    const before = version - 1;
    expect(await read()).toEqual([{ a: before, b: before }]);
    const message = { message: `Version ${version}`, properties: { version: String(version) } };
    shown = await nessie.merge(await nessie.getBranch("build"), shown, message);
    expect(await read()).toEqual([{ a: version, b: version }]);
  }

  const commits = await listCommits(nessie, "main");
  expect(commits.map(({ message }) => message)).toEqual([2, 1, 0].map((n) => `Version ${n}`).concat("Begin"));
  expect(commits[0]).toMatchObject({ hash: shown.hash, properties: { version: "2" } });
  expect(new Date(commits[0]?.committedAt ?? "").getTime()).toBeLessThanOrEqual(Date.now());

  const second = { branch: "main", hash: commits[1]?.hash ?? "" };
  const { snapshotId, metadataLocation } = await nessie.getTable(second, "branches.a");
  expect(metadataLocation).toMatch(/^local:\/\/\/trino\/iceberg\/branches\/a-/);
  expect(await reader.get(`select version from a for version as of ${snapshotId}`)).toEqual({ version: 1 });
});

onTrino("a reader stays with a version despite later merges", async () => {
  const nessie = openNessie();
  let { main: shown } = await createBuildBranch(nessie);
  const writer = build();
  const names = ["k", "l", "m"];
  await writer.run("create table empty (version bigint)");
  const openAt = async (version: NessieVersion) => {
    const relations = await listRelations(nessie, version, "venue_mart");
    const unqualified = Object.entries(relations).map(([name, relation]) => [
      name.split(".")[1] ?? name,
      relation,
    ]);
    return openTrino({
      catalog: "venue_mart",
      relations: { ...relations, ...Object.fromEntries(unqualified) },
    });
  };
  const versions = [];
  for (const version of [1, 2]) {
    // A table is recreated when its model changes.
    for (const name of names)
      await writer.run(`create or replace table ${name} as select ${version} as version`);
    shown = await nessie.merge(await nessie.getBranch("build"), shown, { message: `Readers ${version}` });
    versions.push(await openAt(shown));
  }
  await writer.run("insert into empty values 9");
  await writer.run("update m set version = 9");
  await nessie.merge(await nessie.getBranch("build"), shown, { message: "Readers 9" });

  for (const [index, reader] of versions.entries()) {
    const version = index + 1;
    expect(
      await reader.all(`-- The tables.
        with own as (select version from branches.m as m)
        select k.version as k, l.version as l, own.version as m, (select count(*) from empty) as empty
        from k cross join l cross join own`),
    ).toEqual([{ k: version, l: version, m: version, empty: 0 }]);
  }
});

onTrino("a reset discards what only the branch had", async () => {
  const nessie = openNessie();
  const { main, build: branch } = await createBuildBranch(nessie);
  await build().run("create table left_over as select 1 as x");
  const written = await nessie.getBranch("build");
  expect(await nessie.listTables(written)).toContain("branches.left_over");
  await expect(nessie.resetBranch(branch, main)).rejects.toMatchObject({ errorCode: "REFERENCE_CONFLICT" });
  expect(await nessie.resetBranch(written, main)).toEqual({ branch: "build", hash: main.hash });
  expect(await nessie.listTables("build")).not.toContain("branches.left_over");
  await build().run("create table left_over as select 2 as x");
});

onTrino("does not merge what changed on both sides", async () => {
  const nessie = openNessie();
  await createBuildBranch(nessie);
  await build().run("create table both as select 1 as x");
  await mart().run("create table both as select 2 as x");
  const [from, into] = [await nessie.getBranch("build"), await nessie.getBranch("main")];
  const error = await nessie.merge(from, into, { message: "Both" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NessieError);
  expect((error as Error).message).toMatch(/^Nessie refused to merge build into main: .*branches\.both/);
  expect(await nessie.getBranch("main")).toEqual(into);
  await mart().run("drop table both");
});

onTrino("a repeated merge changes nothing", async () => {
  const nessie = openNessie();
  const { main } = await createBuildBranch(nessie);
  await build().run("create table twice as select 1 as x");
  const from = await nessie.getBranch("build");
  const merged = await nessie.merge(from, main, { message: "Once" });
  expect(await nessie.merge(from, main, { message: "Twice" })).toEqual(merged);
  expect(await nessie.getBranch("main")).toEqual(merged);
});

onTrino("branches are created and deleted", async () => {
  const nessie = openNessie();
  const main = await nessie.getBranch("main");
  const branch = await nessie.createBranch("a/short-one", main);
  expect(await nessie.listBranches()).toContainEqual(branch);
  await expect(nessie.createBranch("a/short-one", main)).rejects.toMatchObject({
    errorCode: "REFERENCE_ALREADY_EXISTS",
  });
  await nessie.deleteBranch(branch);
  expect(await nessie.findBranch("a/short-one")).toBeUndefined();
});

onTrino("reports what does not exist", async () => {
  const nessie = openNessie();
  await expect(nessie.getBranch("nowhere")).rejects.toThrow(
    "Nessie refused to show the branch nowhere: Named reference 'nowhere' not found (REFERENCE_NOT_FOUND). Check the branch name.",
  );
  await expect(nessie.getTable("main", "branches.nothing")).rejects.toMatchObject({
    errorCode: "CONTENT_NOT_FOUND",
  });
});
