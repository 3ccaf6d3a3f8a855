import type { Hono } from "hono";
import { kinds } from "../../../util/kind.ts";
import { listingHeaders } from "../answers/listing-headers.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { HistoryFaults } from "../faults/history-faults.ts";
import { pageEnvelope, pageInputs } from "../page-envelope.ts";
import { readableZone } from "../requests/readable.ts";
import { requiredQueryInteger } from "../requests/request-inputs.ts";
import type { ServiceEnv } from "../service-env.ts";

/** Pages of a zone's playback history: `data/{kind}/history`. */
export function addHistoryEndpoints(ext: Hono<ServiceEnv>, service: EmulatedService): void {
  const { clock, pages, settings } = service;
  const historyFaults = new HistoryFaults(service.faults);

  for (const kind of kinds) {
    ext.get(`/data/${kind}/history`, async (c) => {
      const zoneId = requiredQueryInteger(c, "zone_id");
      const asked = pageInputs(c, settings.pageLimit);
      const zone = readableZone(c, service, zoneId);
      const faults = historyFaults.of(c.get("target"), `${kind} ${zoneId}`, asked);
      const { limit } = faults;
      const hiddenCount = faults.hiddenCount;
      const query = { kind, zone, atMs: clock.now.getTime(), order: settings.order, hiddenCount };
      const { totalCount, records } = await pages.read(query, asked.offset - faults.stepBack, limit);
      const envelope = pageEnvelope(Math.max(0, totalCount + faults.totalError), { ...asked, limit });
      const data = faults.spoil(records).join(",");
      const json = `${JSON.stringify(envelope).slice(0, -1)},"data":[${data}]}`;
      return c.body(json, 200, { "Content-Type": "application/json", ...listingHeaders(service) });
    });
  }
}
