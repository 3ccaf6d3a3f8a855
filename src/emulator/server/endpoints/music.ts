import type { Context, Hono } from "hono";
import type { Zone } from "../../world/premises/zone.ts";
import { momentHeaders } from "../answers/listing-headers.ts";
import { nowPlayingRecord } from "../answers/now-playing-record.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { RefusalError } from "../refusal-error.ts";
import { readableZone } from "../requests/readable.ts";
import { commandBody, requiredBodyInteger, requiredQueryInteger } from "../requests/request-inputs.ts";
import type { ServiceEnv } from "../service-env.ts";

/** What a zone's player plays: `music/…`. */
export function addMusicEndpoints(ext: Hono<ServiceEnv>, service: EmulatedService): void {
  const { clock, players } = service;

  ext.get("/music/now_playing", (c) => {
    const zone = readableZone(c, service, requiredQueryInteger(c, "zone_id"));
    return c.json(nowPlayingRecord(service, zone), 200, momentHeaders);
  });

  for (const action of ["skip", "start", "stop"] as const) {
    ext.post(`/music/${action}`, async (c) => {
      players[action](await zoneOfBody(c), clock.now.getTime());
      return c.json(true);
    });
  }

  ext.post("/music/volume", async (c) => {
    const body = await commandBody(c, ["zone_id", "volume"]);
    const volume = requiredBodyInteger(body, "volume");
    if (volume < 0 || volume > 100) {
      throw new RefusalError(400, "invalid_parameter", `volume must be from 0 to 100, not ${volume}.`);
    }
    players.setVolume(readableZone(c, service, requiredBodyInteger(body, "zone_id")), volume);
    return c.json(true);
  });

  async function zoneOfBody(c: Context<ServiceEnv>): Promise<Zone> {
    return readableZone(c, service, requiredBodyInteger(await commandBody(c, ["zone_id"]), "zone_id"));
  }
}
