import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { BackedUpWorld, expectRefused, testBackups, venue } from "../backup/backup-suite.ts";
import { startConnectProxy } from "../support/connect-proxy.ts";
import { runVenue } from "../support/run-venue.ts";
import { publishedFigures } from "../support/service.ts";
import { type ChooseFault, type Fault, isListing } from "./faulty-proxy.ts";
import { describeStore, newPrefix, throughProxy } from "./use-store.ts";

describeStore("versitygw", (endpoint) => {
  const world = new BackedUpWorld();

  testBackups(world, newPrefix);

  it("a backup is restored exactly even if every seventh request has a fault", async () => {
    const faults: Fault[] = ["lost", "unsent", "500 InternalError", "503 SlowDown", "cut"];
    let requests = 0;
    const choose: ChooseFault = (method) => {
      requests += 1;
      const fault = faults[Math.floor(requests / 7) % faults.length];
      return requests % 7 === 0 && method !== "HEAD" ? fault : undefined;
    };
    const restored = world.openEmpty();
    const to = newPrefix();
    await throughProxy(endpoint, choose, async () => {
      await venue(world.copy(), "backup", "--to", to);
      await venue(restored, "restore", "--from", to);
    });
    expect(await publishedFigures(restored)).toEqual(world.figures);
    expect(requests).toBeGreaterThan(100);
  });

  it("backup and restore end in one clear error if permissions are lost or the session expires", async () => {
    const [machine, restored, to] = [world.copy(), world.openEmpty(), newPrefix()];
    /** Refuses everything from the first request for `state.db`. */
    const refuse = (fault: Fault): ChooseFault => {
      let isRefused = false;
      return (method, path) => {
        isRefused ||= path.includes("state.db");
        // A response to HEAD has no body, so no code.
        return isRefused && method !== "HEAD" ? fault : undefined;
      };
    };
    const denied = /^venue: Can't .* the credentials lack a permission\. Grant them s3:PutObject[^\n]*\n$/;
    await throughProxy(endpoint, refuse("403 AccessDenied"), () =>
      expectRefused(machine, ["backup", "--to", to], denied),
    );
    // Without permissions, it could not clean up.
    await expectRefused(restored, ["restore", "--from", to], "no backup.json");
    await venue(machine, "backup", "--to", to);
    const expired = /^venue: Can't .* the credentials have expired\. Get new ones[^\n]*\n$/;
    await throughProxy(endpoint, refuse("400 ExpiredToken"), () =>
      expectRefused(restored, ["restore", "--from", to], expired),
    );
    await venue(restored, "restore", "--from", to);
    expect(await publishedFigures(restored)).toEqual(world.figures);
  });

  it("a backup is not overwritten if a listing is out of date", async () => {
    const [machine, to] = [world.copy(), newPrefix()];
    const choose: ChooseFault = (_method, path) => (isListing(path) ? "stale" : undefined);
    await throughProxy(endpoint, choose, async () => {
      await venue(machine, "backup", "--to", to);
      await expectRefused(machine, ["backup", "--to", to], "already has a backup");
    });
    await venue(world.openEmpty(), "restore", "--from", to);
  });

  it("a secret is not sent to another machine without encryption", async () => {
    const machine = world.copy();
    const home = machine.environment.VENUE_HOME ?? "";
    mkdirSync(home);
    writeFileSync(join(home, "credentials.json"), '{"client_id":"c1","client_secret":"5ecret"}\n');
    // Nothing resolves this name except the proxy.
    const proxy = await startConnectProxy(endpoint);
    vi.stubEnv("AWS_ENDPOINT_URL_S3", "http://store.test");
    vi.stubEnv("HTTP_PROXY", proxy.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const backUp = (allowed: string, ...words: string[]) => {
      const environment = {
        ...machine.environment,
        AWS_ENDPOINT_URL_S3: "http://store.test",
        VENUE_ALLOW_HTTP: allowed,
      };
      return runVenue(["backup", "--to", newPrefix(), ...words], { ...machine, environment });
    };
    const refused = await backUp("0", "--with-secret");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("http://store.test is not encrypted"),
    ]);
    expect(proxy.requested).toEqual([]);
    const accepted = await backUp("1", "--with-secret");
    expect(accepted.code, accepted.stderr).toBe(0);
    expect(new Set(proxy.requested)).toEqual(new Set(["store.test:80"]));
    expect((await backUp("0")).code).toBe(0);
  });
});
