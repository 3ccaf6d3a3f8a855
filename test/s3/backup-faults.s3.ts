import { cpSync, existsSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { backUpToStore } from "../../src/backup/back-up-to-store.ts";
import { openStorage } from "../../src/storage/open-storage.ts";
import { openWorkspace } from "../pipeline/sync-workspace.ts";
import { type Finished, runVenue } from "../support/run-venue.ts";
import { shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { type ChooseFault, type Fault, isListing } from "./faulty-proxy.ts";
import { abandonUpload, describeStore, newPrefix, throughProxy } from "./use-store.ts";

describeStore("versitygw", (endpoint) => {
  /** Copies the demo's data, and returns functions that run the program on it and on a restored folder. */
  async function prepare() {
    const workingFolder = createTempFolder();
    cpSync(await shareDemoData(), join(workingFolder, "data"), { recursive: true, verbatimSymlinks: true });
    const run = (folder: string, ...words: string[]): Promise<Finished> =>
      runVenue([...words, "--data-dir", folder], {
        environment: { VENUE_HOME: join(workingFolder, "home") },
        workingFolder,
      });
    const query = ["query", "select count(*), sum(duration_secs) from fact_play", "--format", "csv"];
    return {
      backUp: (to: string) => run("data", "backup", "--to", to),
      restore: (from: string) => run("restored", "restore", "--from", from),
      isRestored: () => existsSync(join(workingFolder, "restored")),
      expectSame: async () =>
        expect((await run("restored", ...query)).stdout).toBe((await run("data", ...query)).stdout),
    };
  }

  it("a backup is restored exactly even if every seventh request has a fault", async () => {
    const faults: Fault[] = ["lost", "unsent", "500 InternalError", "503 SlowDown", "cut"];
    let requests = 0;
    const choose: ChooseFault = (method) => {
      requests += 1;
      const fault = faults[Math.floor(requests / 7) % faults.length];
      return requests % 7 === 0 && method !== "HEAD" ? fault : undefined;
    };
    const { backUp, restore, expectSame } = await prepare();
    const place = newPrefix();
    const [made, restored] = await throughProxy(endpoint, choose, async () => [
      await backUp(place),
      await restore(place),
    ]);
    expect([made.code, restored.code], made.stderr + restored.stderr).toEqual([0, 0]);
    await expectSame();
    expect(requests).toBeGreaterThan(100);
  });

  it("backup and restore end in one clear error if permissions are lost or the session expires", async () => {
    const { backUp, restore, isRestored, expectSame } = await prepare();
    const place = newPrefix();
    /** Refuses all requests after the first twelve. */
    const refuse = (fault: Fault): ChooseFault => {
      let requests = 0;
      return (method) => {
        if (method !== "HEAD") requests += 1;
        return requests > 12 ? fault : undefined;
      };
    };
    const expectFailure = ({ code, stderr }: Finished, message: RegExp) => {
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
      expect(stderr.match(/Can't/g)).toHaveLength(1);
    };
    expectFailure(
      await throughProxy(endpoint, refuse("403 AccessDenied"), () => backUp(place)),
      /the credentials lack a permission\. Grant them s3:PutObject/,
    );
    // Without permissions, it could not clean up.
    const nothing = await restore(place);
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining("no backup.json")]);
    expect((await backUp(place)).code).toBe(0);
    expectFailure(
      await throughProxy(endpoint, refuse("400 ExpiredToken"), () => restore(place)),
      /the credentials have expired\. Get new ones/,
    );
    expect(isRestored()).toBe(false);
    expect((await restore(place)).code).toBe(0);
    await expectSame();
  });

  it("an interrupted backup leaves nothing, and the next one removes what a killed one left", async () => {
    const workingFolder = createTempFolder();
    const workspace = openWorkspace({
      environment: {},
      workingFolder,
      dataFolder: join(workingFolder, "data"),
      emulator: { now: () => new Date() },
    });
    // Large enough to be uploaded in parts.
    writeFileSync(join(workspace.folder.reference, "large.csv"), Buffer.alloc(17 * 1024 ** 2));
    const to = newPrefix();
    const storage = await openStorage(to);
    const listLeft = async () => {
      const keys: string[] = [];
      for await (const { key } of storage.list("")) keys.push(key);
      for await (const { key } of storage.listUploads()) keys.push(key);
      return keys;
    };
    const backUpHere = (signal: AbortSignal) =>
      backUpToStore({ ...workspace, signal }, { to, withSecret: false, mustEncrypt: false });
    const written = [
      /unfinished/,
      /large\.csv\?uploads/,
      /large\.csv.*partNumber=2/,
      /state\.db/,
      /backup\.json/,
    ];
    for (const pattern of written) {
      const controller = new AbortController();
      const choose: ChooseFault = (method, path) => {
        if (method === "GET" || method === "HEAD" || !pattern.test(path) || controller.signal.aborted)
          return undefined;
        controller.abort(new Error("interrupted"));
        return "unsent";
      };
      const interrupted = throughProxy(endpoint, choose, () => backUpHere(controller.signal));
      await expect(interrupted, `${pattern}`).rejects.toThrow("interrupted");
      expect(await listLeft(), `${pattern}`).toEqual([]);
    }

    const { signal } = new AbortController();
    await storage.put("backup.unfinished", "another-host 2026-11-21T05:30:00Z");
    await expect(backUpHere(signal)).rejects.toThrow(/another-host .* is writing, or that was killed/);
    await storage.delete(["backup.unfinished"]);
    const claim = {
      owner: `${hostname()}:${workspace.folder.root}`,
      keys: ["reference/gone.csv"],
      id: "killed",
    };
    await storage.put("backup.unfinished", JSON.stringify(claim));
    await storage.put("reference/gone.csv", "");
    await abandonUpload(to, "reference/gone.csv");
    await storage.put("mine.txt", "mine");
    await expect(backUpHere(signal)).rejects.toThrow("already has objects, such as mine.txt");
    await storage.delete(["mine.txt"]);
    const { files } = await backUpHere(signal);
    expect(await listLeft()).toEqual(["backup.json", ...files.map(({ path }) => path).sort()]);
  });

  it("a backup is not overwritten if a listing is out of date", async () => {
    const { backUp, restore, expectSame } = await prepare();
    const place = newPrefix();
    await throughProxy(
      endpoint,
      (_method, path) => (isListing(path) ? "stale" : undefined),
      async () => {
        expect((await backUp(place)).code).toBe(0);
        const again = await backUp(place);
        expect([again.code, again.stderr]).toEqual([
          2,
          expect.stringContaining("already has a backup. Choose"),
        ]);
      },
    );
    expect((await restore(place)).code).toBe(0);
    await expectSame();
  });
});
