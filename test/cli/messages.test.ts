import { join } from "node:path";
import { expect } from "vitest";
import { Settings } from "../../src/config/settings.ts";
import { buildOverview } from "../../src/report/overview/overview.ts";
import { withPublished } from "../../src/report/published/with-published.ts";
import { openDataState } from "../../src/state/data/data-state.ts";
import { attributedWorld } from "../report/attributed-world.ts";
import { ask, serveForTest } from "../serve/served.ts";
import { itInAll } from "../support/long-suite.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { runVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const now = "2026-11-21T06:00:00Z";

itInAll(
  "undelivered messages appear in quality, status and metrics, but do not affect the overview",
  async () => {
    const folder = createTempFolder();
    await publishFixture(join(folder, "published"), attributedWorld());
    const environment = { VENUE_DATA_DIR: folder, VENUE_NOW: now };
    const setup = { environment, workingFolder: folder };
    const overview = () =>
      withPublished(
        new Settings({ flags: {}, environment, workingFolder: folder }),
        new AbortController().signal,
        async (mart) => await buildOverview(mart, new Date(now), {}),
      );
    const before = await overview();
    const state = openDataState(join(folder, "state.db"));
    const add = (id: string, recipient: string, day: string, problem?: string) => {
      state.outbox.put({ id, recipient, content: "{}", writtenAt: new Date(`${day}T05:31:00.250Z`) });
      if (problem) state.outbox.giveUp(id, problem, new Date(`${day}T09:00:00Z`));
    };
    add("1", "mailto:ops@example.com", "2026-10-21", "over 30 days ago");
    add("2", "mailto:ops@example.com", "2026-10-24", "550 no such user");
    add("3", "webhook:chat", "2026-11-20", "ENOENT: no such file, open '/srv/secret/hooks.json'");
    add("4", "webhook:chat", "2026-11-21");
    state.close();

    for (const sorted of [[], ["--sort=-subject"]]) {
      const report = await runVenue(["report", "quality", "--format", "csv", ...sorted], setup);
      expect(report.stdout.match(/^messages,.*/gm)).toEqual([
        "messages,webhook:chat,undelivered,\"created 2026-11-20T05:31:00Z, given up 2026-11-20T09:00:00Z: ENOENT: no such file, open 'hooks.json'\"",
        'messages,mailto:ops@example.com,undelivered,"created 2026-10-24T05:31:00Z, given up 2026-10-24T09:00:00Z: 550 no such user"',
      ]);
    }
    const { stdout } = await runVenue(["status"], setup);
    expect(stdout).toContain(
      `Messages:     1 waiting, 2 undelivered in the last 30 days
  webhook:chat given up 20 November 2026, 09:00 UTC: ENOENT: no such file, open 'hooks.json'
  mailto:ops@example.com given up 24 October 2026, 09:00 UTC: 550 no such user
Disk:`,
    );
    const { stdout: json } = await runVenue(["status", "--json"], setup);
    expect(JSON.parse(json)).toMatchObject({
      messages_waiting: 1,
      messages_undelivered: [{ recipient: "webhook:chat" }, { given_up_at: "2026-10-24T09:00:00.000Z" }],
    });
    const { stdout: metrics } = await runVenue(["metrics"], setup);
    expect(metrics.match(/^venue_messages.*/gm)).toEqual([
      "venue_messages_waiting 1",
      "venue_messages_undelivered 2",
    ]);
    const { origin } = await serveForTest({ dataFolder: folder, now: () => new Date(now) });
    expect((await ask(origin, "/quality")).text).toContain("mailto:ops@example.com");
    expect(await overview()).toEqual(before);
  },
);
