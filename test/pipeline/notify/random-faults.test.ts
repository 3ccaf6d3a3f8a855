import { expect, it } from "vitest";
import { Settings } from "../../../src/config/settings.ts";
import { addWebhook } from "../../../src/pipeline/notify/delivery/webhooks.ts";
import { share } from "../../support/long-suite.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { serveRequests } from "../../support/serve-requests.ts";
import { refusal, startMailServer } from "./mail-server.ts";
import { setUpDelivery } from "./set-up-delivery.ts";

const faults = ["none", "refused", "refused for good", "cut before", "cut after", "stopped"] as const;
type Fault = (typeof faults)[number];

/** Deliveries of one message at its receiver. */
interface Deliveries {
  acknowledged: number;
  /** The receiver has the message, but its answer did not arrive. */
  lost: number;
}

it.each(Array.from({ length: share(1, 4, 40) }, (_, index) => 4711 + index))(
  "each message arrives with its id, twice only after a lost answer, or is known to be undelivered (seed %i)",
  async (seed) => {
    const random = randomNumbers(seed);
    const arrived = new Map<string, Deliveries>();
    /** Returns whether the receiver of this message fails always, sometimes or never. */
    const failsIn10 = new Map<string, number>();
    let stop = new AbortController();
    const drawFault = (id: string): Fault =>
      random(10) < (failsIn10.get(id) ?? 0) ? (faults[1 + random(faults.length - 1)] ?? "none") : "none";
    /** Receives a message with a fault. @returns whether it is acknowledged */
    const receive = (id: string, fault: Fault, cut: () => void): boolean => {
      const counts = arrived.get(id) ?? { acknowledged: 0, lost: 0 };
      if (fault === "none") counts.acknowledged += 1;
      if (fault === "cut after" || fault === "stopped") counts.lost += 1;
      arrived.set(id, counts);
      if (fault.startsWith("cut")) cut();
      // The run is stopped after the receiver has the message, but before its answer.
      if (fault === "stopped") stop.abort(new Error("stopped"));
      return fault === "none";
    };

    const mailServer = await startMailServer({}, ({ messageId }, socket) => {
      const id = /^<(id-\d+)@example\.com>$/.exec(messageId)?.[1] ?? `unknown ${messageId}`;
      const fault = drawFault(id);
      if (receive(id, fault, () => socket.destroy())) return undefined;
      return refusal(fault === "refused for good" ? 550 : 451);
    });
    const origin = await serveRequests((request, response) => {
      request.resume().on("end", () => {
        const id = `${request.headers["idempotency-key"]}`;
        const fault = drawFault(id);
        const isAcknowledged = receive(id, fault, () => request.socket.destroy());
        const refused = fault === "refused for good" ? 404 : [429, 500, 403][random(3)];
        response.writeHead(isAcknowledged ? 204 : (refused ?? 500)).end();
      });
    });

    const delivery = setUpDelivery();
    delivery.environment.VENUE_SMTP_URL = `smtp://127.0.0.1:${mailServer.port}`;
    const settings = new Settings({ flags: {}, environment: delivery.environment, workingFolder: "/" });
    const recipients = ["mailto:a@example.com", "mailto:b@example.com", "webhook:ops", "webhook:boss"];
    for (const name of ["ops", "boss"]) addWebhook(settings, name, `${origin}/${name}`);

    const ids = Array.from({ length: 16 }, (_, index) => `id-${index}`);
    let next = 0;
    // For six days, a run every four hours adds a message.
    for (let run = 0; run < 36; run += 1) {
      const id = ids[next];
      if (id !== undefined) {
        failsIn10.set(id, [0, 5, 9, 10][random(4)] ?? 0);
        delivery.add(id, recipients[random(recipients.length)] ?? "");
        next += 1;
      }
      stop = new AbortController();
      await delivery.deliver({ signal: stop.signal }).catch((error: Error) => {
        if (!stop.signal.aborted) throw error;
      });
      delivery.wait(4);
    }

    expect(delivery.outbox.countWaiting()).toBe(0);
    const undelivered = new Set(delivery.outbox.listUndelivered(new Date(0)).map(({ id }) => id));
    expect([...arrived.keys()].filter((id) => !ids.includes(id))).toEqual([]);
    for (const id of ids) {
      // Each extra delivery was caused by a lost answer.
      expect([id, arrived.get(id)?.acknowledged ?? 0]).toEqual([id, undelivered.has(id) ? 0 : 1]);
    }
    // Every outcome has occurred.
    const lost = [...arrived.values()].reduce((sum, counts) => sum + counts.lost, 0);
    expect(Math.min(lost, undelivered.size, ids.length - undelivered.size)).toBeGreaterThan(0);
  },
);
