import { join } from "node:path";
import { expect, it } from "vitest";
import { openDataState } from "../../../src/state/data/data-state.ts";
import { runVenue, startVenue } from "../../support/run-venue.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { startMailServer } from "./mail-server.ts";
import { digest } from "./set-up-delivery.ts";

it("a run killed before it records the server's answer sends the mail again with the same id", async () => {
  const workingFolder = createTempFolder();
  const state = openDataState(join(workingFolder, "data", "state.db"));
  const message = { id: "id-1", recipient: "mailto:ops@example.com", content: JSON.stringify(digest) };
  state.outbox.put({ ...message, writtenAt: new Date() });
  state.close();
  let kill = () => {};
  const server = await startMailServer({}, () => {
    kill();
    return undefined;
  });
  const environment = {
    VENUE_HOME: join(workingFolder, "home"),
    VENUE_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    VENUE_MAIL_FROM: "venue@example.com",
  };
  const run = startVenue(["notify"], { environment, workingFolder });
  kill = () => run.child.kill("SIGKILL");
  expect((await run.finished).signal).toBe("SIGKILL");
  const again = await runVenue(["notify"], { environment, workingFolder });
  expect(again.code, again.stderr).toBe(0);
  expect((await runVenue(["notify"], { environment, workingFolder })).code).toBe(0);
  expect(server.received.map(({ messageId }) => messageId)).toEqual([
    "<id-1@example.com>",
    "<id-1@example.com>",
  ]);
});
