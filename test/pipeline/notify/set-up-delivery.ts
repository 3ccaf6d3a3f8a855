import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { DataFolder } from "../../../src/config/data-folder.ts";
import { Settings } from "../../../src/config/settings.ts";
import type { Digest } from "../../../src/pipeline/notify/compose-digest.ts";
import {
  type DeliveryOptions,
  type DeliveryResult,
  deliver,
} from "../../../src/pipeline/notify/delivery/deliver.ts";

import { type DataState, openDataState } from "../../../src/state/data/data-state.ts";
import type { Outbox } from "../../../src/state/data/outbox.ts";
import { openSqlite } from "../../../src/state/sqlite.ts";
import { createLogger } from "../../../src/util/logger.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

export const password = "pa55-word-of-the-server";

export const digest: Digest = {
  headline: "3 zones missed a campaign",
  sections: [
    {
      rule: "missed",
      title: "Compliance by campaign and zone",
      answer: "3 of 40 zones missed a campaign yesterday.",
      tables: [
        {
          change: "new",
          columns: ["Campaign", "Zone", "Missed days"],
          rows: [
            ["Autumn sale", "North gym", "3"],
            ["Autumn sale", "South gym", ""],
          ],
          omitted: 4,
        },
        { change: "over", columns: ["Campaign", "Zone"], rows: [["Summer sale", "West gym"]], omitted: 0 },
      ],
      link: "https://venue.example.com/compliance?by=campaign,zone&only=missed",
      notes: ["2 days are still pending."],
      data_as_of: "2026-11-20T00:00:00Z",
    },
  ],
  age: "Plays are complete until 2026-11-20.",
  stop: "To stop these messages, write to ops@example.com.",
};

export interface Delivery {
  outbox: Outbox;
  environment: NodeJS.ProcessEnv;
  /** Stored content of each message. */
  contents(): (string | null)[];
  /** Everything that was logged. */
  log(): string;
  /** Moves the clock. */
  wait(hours: number): void;
  add(id: string, recipient: string, content?: Digest): void;
  /** Delivers the messages that are due, with settings from the environment. */
  deliver(options?: Partial<DeliveryOptions>): Promise<DeliveryResult>;
}

/** An empty outbox in a separate folder, and a clock that only `wait` moves. */
export function setUpDelivery(): Delivery {
  const folder = createTempFolder();
  const state: DataState = openDataState(join(folder, "state.db"));
  const database = openSqlite(join(folder, "state.db"), "state/data");
  onTestFinished(() => {
    database.close();
    state.close();
  });
  writeFileSync(join(folder, "password"), `${password}\n`);
  const environment: NodeJS.ProcessEnv = {
    VENUE_HOME: join(folder, "home"),
    VENUE_MAIL_FROM: "Venue <venue@example.com>",
  };
  let now = new Date("2026-11-21T05:30:00Z");
  let log = "";
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const logger = createLogger({ write: (line) => (log += line), format: "text" });
  return {
    outbox: state.outbox,
    environment,
    contents: () =>
      database
        .all<{ content: string | null }>("select content from message order by message_id")
        .map(({ content }) => content),
    log: () => log,
    wait: (hours) => {
      now = new Date(now.getTime() + hours * 3_600_000);
    },
    add: (id, recipient, content = digest) =>
      state.outbox.put({ id, recipient, content: JSON.stringify(content), writtenAt: now }),
    deliver: (options = {}) =>
      deliver({
        settings: new Settings({ flags: {}, environment, workingFolder: folder }),
        outbox: state.outbox,
        folder: new DataFolder(folder),
        clock,
        logger,
        signal: new AbortController().signal,
        ...options,
      }),
  };
}
