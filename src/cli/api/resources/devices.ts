import { resolve } from "node:path";
import type { VenueClient } from "../../../api/client.ts";
import { saveScreenshots } from "../../../extract/on-demand/save-screenshots.ts";
import { actionsOf, type Resource } from "../action.ts";
import { optional, required } from "../flags/flag.ts";
import { values } from "../flags/flag-values.ts";
import { number, text } from "../views/columns.ts";
import { byInput, done, table } from "../views/view.ts";

const action = actionsOf<VenueClient>();
const found = table(text("add_date"), text("url"));
const saved = table(text("add_date"), text("file"));

export const devices: Resource<VenueClient> = {
  name: "devices",
  summary: "media players: their state, what their screens show, reboot",
  api: "main",
  actions: [
    action({
      name: "status",
      summary: "every device below a group",
      example: "--group-id 58429",
      flags: { groupId: required(values.groupId) },
      call: ({ client, signal }, { groupId }) => client.devices.status({ groupId, signal }),
      view: table(
        number("zone_id"),
        number("device_id"),
        text("status"),
        text("location.name", "location"),
        text("location.city", "city"),
        text("model"),
        text("version"),
        text("ip_address"),
        text("last_online_date"),
        text("last_play_date"),
      ),
    }),
    action({
      name: "screenshots",
      summary: "the screenshots of a zone's device; saves the pictures with --out",
      example: "--zone-id 77 --out screenshots",
      flags: {
        zoneId: required(values.zoneId),
        out: optional(values.path("a folder to save the pictures in; it is created")),
      },
      call: ({ client, signal, workingFolder }, { zoneId, out }) =>
        out === undefined
          ? client.devices.screenshots({ zoneId, signal })
          : saveScreenshots({ client, zoneId, folder: resolve(workingFolder, out), signal }),
      view: byInput(({ out }: { out: string | undefined }) => (out === undefined ? found : saved)),
    }),
    action({
      name: "reboot",
      summary: "reboot a zone's device",
      example: "--zone-id 77",
      flags: { zoneId: required(values.zoneId) },
      announce: ({ zoneId }) => `Reboot the device of zone ${zoneId}`,
      call: ({ client, signal }, { zoneId }) => client.devices.reboot({ zoneId, signal }),
      view: done(),
    }),
  ],
};
