import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../../../src/emulator/emulator.ts";
import { hasTerminals, startOnTerminal } from "../../support/run-on-terminal.ts";
import { runVenue, startVenue } from "../../support/run-venue.ts";
import { serveRequests } from "../../support/serve-requests.ts";
import { type Setup, setUp } from "../../support/service.ts";
import { stableText } from "../../support/stable-text.ts";

const small = { days: 2, zones: 4, playScale: 0.1 };
const [groupId, zoneId] = [58429, 81001];

/** Recorded requests, such as `POST music/skip`, without token requests. */
function sent({ requests }: Emulator): string[] {
  return requests
    .map(({ method, path }) => `${method} ${path}`)
    .filter((line) => !line.includes("/api-clients/"));
}

function api(setup: Setup, line: string) {
  return runVenue(["api", ...line.split(" ")], setup);
}

describe("an action that changes something", () => {
  const stop = ["api", "music", "stop", "--zone-id", String(zoneId)];

  it("needs --yes without a terminal, and describes the effect", async () => {
    const setup = await setUp(small);
    const finished = await runVenue(stop, setup);
    expect(stableText(finished.stderr)).toMatchSnapshot();
    expect(finished.code).toBe(2);
    expect(setup.emulator.requests).toHaveLength(0);
  });

  it("runs with --yes and reports it", async () => {
    const setup = await setUp(small);
    const finished = await runVenue([...stop, "--yes"], setup);
    expect(finished).toMatchObject({ code: 0, stdout: `Stop the music in zone ${zoneId}: done.\n` });
    expect(sent(setup.emulator)).toEqual(["POST /v5/ext/music/stop"]);
  });

  it("with --json prints the service's response", async () => {
    const setup = await setUp(small);
    expect((await runVenue([...stop, "--yes", "--json"], setup)).stdout).toBe("true\n");
    expect((await runVenue(["--json", ...stop, "--yes"], setup)).stdout).toBe("true\n");
    const cleared = await api(setup, `playlists clear-overrides --zone-id ${zoneId} --yes --json`);
    expect(cleared.stdout).toBe("{}\n");
  });

  it.runIf(hasTerminals).each<[string, string, boolean]>([
    ["y", "y\r", true],
    ["yes", "Yes\r", true],
    ["n", "n\r", false],
    ["nothing", "\r", false],
    ["another word", "sure\r", false],
    ["the end of the input", "\u0004", false],
  ])("confirms on a terminal: %s", async (_label, keys, isDone) => {
    const setup = await setUp(small);
    const terminal = startOnTerminal(stop, setup);
    await terminal.until(`Stop the music in zone ${zoneId}? [y/N] `);
    expect(sent(setup.emulator)).toEqual([]);
    terminal.type(keys);
    expect(await terminal.finished).toBe(0);
    expect(terminal.shown()).toContain(isDone ? ": done." : "Nothing was done.");
    expect(sent(setup.emulator)).toEqual(isDone ? ["POST /v5/ext/music/stop"] : []);
  });

  it.runIf(hasTerminals)("confirms on a terminal: Ctrl-C ends it", async () => {
    const setup = await setUp(small);
    const terminal = startOnTerminal(stop, setup);
    await terminal.until("[y/N] ");
    terminal.type("\u0003");
    expect(await terminal.finished).toBe(130);
    expect(sent(setup.emulator)).toEqual([]);
  });

  it("reports an unknown outcome when interrupted in flight", async () => {
    const setup = await setUp(small);
    let hasArrived = false;
    const url = await serveRequests((request, response) => {
      if (request.url?.endsWith("/token")) response.end('{"access_token":"t"}');
      else hasArrived = true;
    });
    setup.environment.VENUE_BASE_URL = `${url}/v5`;
    const running = startVenue([...stop, "--yes"], setup);
    while (!hasArrived) await new Promise((resolve) => setTimeout(resolve, 10));
    running.child.kill("SIGINT");
    const { code, stderr, stdout } = await running.finished;
    expect(stableText(stderr)).toMatchSnapshot();
    expect(stdout).toBe("");
    expect(code).toBe(130);
  });

  it("an upload is announced with file, size and owner, and succeeds", async () => {
    const setup = await setUp(small);
    writeFileSync(
      join(setup.workingFolder, "spring.png"),
      Buffer.alloc(1_500, "\x89PNG\r\n\x1a\n", "latin1"),
    );
    const finished = await runVenue(
      [
        ...["api", "signage", "upload-asset", "--zone-id", String(zoneId), "--name", "Spring & co"],
        ...["--file", "spring.png", "--start-date", "2026-03-01", "--end-date", "2026-03-31", "--yes"],
      ],
      setup,
    );
    expect(finished.stderr).toBe("");
    expect(finished.stdout).toBe(
      `Upload ${join(setup.workingFolder, "spring.png")} (1.5 kB) as the signage asset "Spring & co" of zone ${zoneId} ` +
        "from 2026-03-01 to 2026-03-31: done.\n",
    );
    const listed = await api(setup, `signage assets --zone-id ${zoneId} --json`);
    expect(JSON.parse(listed.stdout)).toContainEqual(
      expect.objectContaining({ name: "Spring & co", start_date: "2026-03-01", end_date: "2026-03-31" }),
    );
  });
});

describe("reading actions", () => {
  it("a listing: a table for people, the service's records as JSON", async () => {
    const setup = await setUp(small);
    const table = await api(setup, `devices status --group-id ${groupId}`);
    expect(table.stdout).toMatch(/^zone_id +device_id +status +location/);
    const json = await api(setup, `devices status --group-id ${groupId} --json`);
    const records: object[] = JSON.parse(json.stdout);
    expect(records[0]).toHaveProperty("location.location_id");
    expect(table.stdout).toContain(`\n${records.length} rows`);
  });

  it("history with --all: every record from an offset, as JSON Lines, page by page", async () => {
    const setup = await setUp({ ...small, pageLimit: 7 });
    const line = `history music --zone-id ${zoneId}`;
    const { total_count } = JSON.parse((await api(setup, `${line} --json`)).stdout);
    const records = async (flags: string) => {
      const { stdout } = await api(setup, `${line} --all${flags}`);
      return stdout
        .trimEnd()
        .split("\n")
        .map((text) => JSON.parse(text));
    };
    const all = await records("");
    expect(all).toHaveLength(total_count);
    expect(new Set(all.map(({ play_start }) => play_start)).size).toBe(total_count);
    expect(await records(" --offset 5 --json")).toEqual(all.slice(5));
  });

  it("playlists with --all: one list", async () => {
    const setup = await setUp({ ...small, pageLimit: 7 });
    const line = `playlists list --zone-id ${zoneId}`;
    const { total_count } = JSON.parse((await api(setup, `${line} --json`)).stdout);
    const all = await api(setup, `${line} --all --json`);
    expect(total_count).toBeGreaterThan(7);
    expect(JSON.parse(all.stdout)).toHaveLength(total_count);
    expect((await api(setup, `${line} --all`)).stdout).toContain(`\n${total_count} rows`);
  });

  it("the status API without credentials: a page, all pages, one notice", async () => {
    const setup = await setUp(small);
    Object.assign(setup.environment, { VENUE_CLIENT_ID: "", VENUE_CLIENT_SECRET: "", VENUE_BASE_URL: "" });
    const page = JSON.parse((await api(setup, "status page --json")).stdout);
    expect(page.page.state).toMatch(/operational|degraded|under-maintenance/);
    const notices = JSON.parse((await api(setup, "status notices --json")).stdout);
    expect(notices.meta.count).toBe(notices.notices.length);
    const all = JSON.parse((await api(setup, "status notices --all --json")).stdout);
    expect(all).toHaveLength(notices.meta.total_count);
    const { id } = all[0];
    const notice = await api(setup, `status notice --id ${id} --json`);
    expect(JSON.parse(notice.stdout).notice).toMatchObject({ id, updates: expect.any(Array) });
    const top = await api(setup, "status components --top-level --all --json");
    expect(
      JSON.parse(top.stdout).every((component: { parent_id: unknown }) => component.parent_id === null),
    ).toBe(true);
  });
});

describe("screenshots", () => {
  it("get no token; files that are not pictures are reported and the others saved under safe names", async () => {
    const setup = await setUp(small);
    const gif = Buffer.from("GIF89a-and-so-on", "latin1");
    const received: [path: string, hasToken: boolean][] = [];
    const url = await serveRequests((request, response) => {
      const { host, authorization } = request.headers;
      const path = request.url ?? "";
      if (path.endsWith("/token")) return void response.end('{"access_token":"t"}');
      if (path.includes("/pictures/")) {
        received.push([path, authorization !== undefined]);
        response.setHeader("content-type", path.endsWith("page") ? "text/html" : "image/png");
        return void response.end(path.endsWith("gif") ? gif : "<html>");
      }
      const record = (name: string, add_date: string | null) => ({
        url: `http://${host}/pictures/${name}`,
        add_date,
      });
      response.end(
        JSON.stringify([
          record("..%2f..%2fa.gif", "2026-11-21 06:00:00"),
          record("b.gif", "2026-11-21 06:00:00"),
          record("c.gif", "../../../etc/passwd"),
          record("page", null),
          record("text", "2026-11-21 07:00:00"),
          { url: "file:///etc/passwd", add_date: "2026-11-21 08:00:00" },
        ]),
      );
    });
    setup.environment.VENUE_BASE_URL = `${url}/v5`;
    const finished = await api(setup, `devices screenshots --zone-id ${zoneId} --out shots`);
    expect(finished.code).toBe(3);
    expect(stableText(finished.stderr)).toMatchSnapshot();
    expect(readdirSync(join(setup.workingFolder, "shots")).sort()).toEqual([
      "zone-81001-2026-11-21-06-00-00-2.gif",
      "zone-81001-2026-11-21-06-00-00.gif",
      "zone-81001-undated.gif",
    ]);
    expect(received.map(([, hasToken]) => hasToken)).toEqual(received.map(() => false));
    expect(received.length).toBeGreaterThan(3);
  });

  it("are saved under generated names", async () => {
    const setup = await setUp(small);
    const { stdout, code } = await api(setup, `devices screenshots --zone-id ${zoneId} --out shots --json`);
    expect(code).toBe(0);
    const saved: { file: string }[] = JSON.parse(stdout);
    const names = readdirSync(join(setup.workingFolder, "shots"));
    expect(saved.map(({ file }) => file).sort()).toEqual(
      names.map((name) => join(setup.workingFolder, "shots", name)).sort(),
    );
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      expect(name).toMatch(/^zone-81001-\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d\.png$/);
      const bytes = readFileSync(join(setup.workingFolder, "shots", name));
      expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    }
  });

  it("a folder that can't be created: exit code 2", async () => {
    const setup = await setUp(small);
    writeFileSync(join(setup.workingFolder, "shots"), "a file");
    const finished = await api(setup, `devices screenshots --zone-id ${zoneId} --out shots`);
    expect(finished.code).toBe(2);
    expect(finished.stderr).not.toContain("this is a bug");
    expect(sent(setup.emulator)).toEqual([]);
  });
});

describe("exports", () => {
  it("export, export-job, download: the file is complete, and no part is left", async () => {
    const setup = await setUp(small);
    const created = await api(setup, `history export --kind music --group-id ${groupId}`);
    const jobId = /job_id +(\S+)/.exec(created.stdout)?.[1];
    const job = await api(setup, `history export-job --job-id ${jobId} --json`);
    expect(JSON.parse(job.stdout)).toMatchObject({ status: "completed", download_url: expect.any(String) });
    const saved = await api(setup, `history download --job-id ${jobId} --out music.jsonl`);
    expect(saved.stderr).toBe("");
    const file = join(setup.workingFolder, "music.jsonl");
    const text = readFileSync(file, "utf8");
    expect(saved.stdout).toBe(`Saved ${file} (${Buffer.byteLength(text)} bytes).\n`);
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.every((line) => Number.isInteger(line.song_id))).toBe(true);
    expect(readdirSync(setup.workingFolder).filter((name) => name.includes(".part"))).toEqual([]);
  });

  it("a job that is not completed is reported and leaves no file", async () => {
    const setup = await setUp({ ...small, exportSeconds: 3600 });
    const { stdout } = await api(setup, `history export --kind music --group-id ${groupId} --json`);
    const { job_id } = JSON.parse(stdout);
    const finished = await api(setup, `history download --job-id ${job_id} --out music.jsonl`);
    expect(stableText(finished.stderr)).toMatchSnapshot();
    expect(finished.code).toBe(3);
    expect(existsSync(join(setup.workingFolder, "music.jsonl"))).toBe(false);
  });

  it("does not resume a part of another job's file", async () => {
    const setup = await setUp(small);
    const { stdout } = await api(setup, `history export --kind signage --group-id ${groupId} --json`);
    const { job_id } = JSON.parse(stdout);
    writeFileSync(join(setup.workingFolder, "x.jsonl.part"), '{"of": "another job"}\n');
    writeFileSync(join(setup.workingFolder, "x.jsonl.part.json"), '{"job_id":"other","etag":"\\"e\\""}');
    expect((await api(setup, `history download --job-id ${job_id} --out x.jsonl`)).code).toBe(0);
    expect(readFileSync(join(setup.workingFolder, "x.jsonl"), "utf8")).not.toContain("another job");
  });

  it("a download replaces the target of a link, but not a pipe or device", async () => {
    const setup = await setUp(small);
    const { stdout } = await api(setup, `history export --kind music --group-id ${groupId} --json`);
    const { job_id } = JSON.parse(stdout);
    const at = (name: string) => join(setup.workingFolder, name);
    writeFileSync(at("old.jsonl"), "old\n");
    symlinkSync("old.jsonl", at("link.jsonl"));
    expect((await api(setup, `history download --job-id ${job_id} --out link.jsonl`)).code).toBe(0);
    expect(lstatSync(at("link.jsonl")).isSymbolicLink()).toBe(true);
    expect(readFileSync(at("old.jsonl"), "utf8")).toContain("song_id");

    symlinkSync("new.jsonl", at("later.jsonl"));
    expect((await api(setup, `history download --job-id ${job_id} --out later.jsonl`)).code).toBe(0);
    expect(readFileSync(at("new.jsonl"), "utf8")).toContain("song_id");

    execFileSync("mkfifo", [at("pipe")]);
    const before = setup.emulator.requests.length;
    const refused = await api(setup, `history download --job-id ${job_id} --out pipe`);
    expect(stableText(refused.stderr)).toMatchSnapshot();
    expect(refused.code).toBe(2);
    expect(lstatSync(at("pipe")).isFIFO()).toBe(true);
    expect(setup.emulator.requests).toHaveLength(before);
  });
});

it("reports when --all got fewer records than the total", async () => {
  const setup = await setUp(small);
  const url = await serveRequests((request, response) => {
    response.setHeader("content-type", "application/json");
    const isFirst = request.url?.includes("offset=0");
    if (request.url?.endsWith("/token")) response.end('{"token":"t-1"}');
    else
      response.end(JSON.stringify({ total_count: 5, data: isFirst ? [{ playlist_id: 1, name: "a" }] : [] }));
  });
  setup.environment.VENUE_BASE_URL = `${url}/v5`;
  const { stdout, stderr, code } = await api(setup, `playlists list --zone-id ${zoneId} --all --json`);
  expect(JSON.parse(stdout)).toEqual([{ playlist_id: 1, name: "a" }]);
  expect(stableText(stderr)).toMatchSnapshot();
  expect(code).toBe(0);
});

it("a command with an empty response reports the problem and the unknown outcome", async () => {
  const setup = await setUp(small);
  const url = await serveRequests((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(request.url?.endsWith("/token") ? '{"token":"t-1"}' : "");
  });
  setup.environment.VENUE_BASE_URL = `${url}/v5`;
  const { stderr, code } = await api(setup, `music skip --zone-id ${zoneId} --yes`);
  expect(stableText(stderr)).toMatchSnapshot();
  expect(code).toBe(3);
});
