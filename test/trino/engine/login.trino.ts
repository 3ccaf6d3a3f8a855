import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, expect, inject } from "vitest";
import type { TrinoOptions } from "../../../src/engines/trino/trino-options.ts";
import { isAll } from "../../support/long-suite.ts";
import { type Cluster, startCluster } from "../cluster/start-cluster.ts";
import { onTrinoInAll, openTrino } from "../support/on-trino.ts";

const user = "ana";
const password = "a sound password: äöü";
let folder: string;
let cluster: Cluster;

beforeAll(async () => {
  const installation = inject("installation");
  if (!(installation && isAll)) return;
  folder = mkdtempSync(join(tmpdir(), "venue-analytics-login-"));
  cluster = await startCluster(installation, {
    bucket: { folder: join(folder, "bucket") },
    login: { user, password },
  });
});

afterAll(async () => {
  await cluster?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

function open(more: Partial<TrinoOptions>) {
  const { url, certificate } = getLogin();
  return openTrino({ url, user, certificateAuthority: certificate, ...more });
}

function getLogin() {
  if (!cluster.login) throw new Error("the cluster lets in everybody");
  return cluster.login;
}

const currentUserSql = "select current_user as me";

onTrinoInAll("accepts the password", async () => {
  expect(await open({ password }).get(currentUserSql)).toEqual({ me: user });
});

onTrinoInAll("accepts a token", async () => {
  expect(await open({ token: getLogin().tokenFor(user) }).get(currentUserSql)).toEqual({ me: user });
});

onTrinoInAll.each([
  ["a wrong password", () => ({ password: "wrong-secret" })],
  ["no password", () => ({})],
  ["a token that nobody signed", () => ({ token: `${getLogin().tokenFor(user).slice(0, -9)}wrong-secret` })],
])("reports that it refused %s, and shows no secret", async (_label, login) => {
  const engine = open(login());
  const error = await engine.get(currentUserSql).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "TRINO_LOGIN" });
  expect((error as Error).message).toContain(`refused the user "${user}"`);
  expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/wrong-secret|sound/);
  expect(inspect(engine, { depth: 9, showHidden: true })).not.toMatch(/wrong-secret|sound/);
});

onTrinoInAll("is the user in the token", async () => {
  const engine = open({ token: getLogin().tokenFor("bob") });
  await expect(engine.get(currentUserSql)).rejects.toThrow("User bob cannot impersonate user ana");
});

onTrinoInAll("sends nothing to a server with an untrusted certificate", async () => {
  const engine = open({ password, certificateAuthority: undefined });
  const error = await engine.get(currentUserSql).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "TRINO_UNREACHABLE" });
  expect((error as Error).message).toContain(
    "offers no trusted TLS connection (DEPTH_ZERO_SELF_SIGNED_CERT)",
  );
});
