import type { VenueClient } from "../../../api/client.ts";
import { eachRecord } from "../../../api/each-record.ts";
import { countOf } from "../../../util/text/count-of.ts";
import { actionsOf, type Resource } from "../action.ts";
import { required } from "../flags/flag.ts";
import { values } from "../flags/flag-values.ts";
import { pageFlags, pageOrAll, pageView } from "../page-view.ts";
import { number, text } from "../views/columns.ts";
import { done } from "../views/view.ts";

const action = actionsOf<VenueClient>();
const flags = { zoneId: required(values.zoneId) };
const noOverrideIds =
  "The service lists overrides without an id: --override-id of remove-override must be known from elsewhere.\n" +
  "Without it, clear-overrides removes all overrides of a zone.";

export const playlists: Resource<VenueClient> = {
  name: "playlists",
  summary: "playlists of a zone, and those that play instead for a while",
  api: "main",
  actions: [
    action({
      name: "list",
      summary: "playlists of a zone",
      example: "--zone-id 77 --limit 20",
      flags: { ...flags, ...pageFlags },
      call: ({ client, signal, logger }, { zoneId, ...inputs }) =>
        pageOrAll(inputs, (page) => client.playlists.page({ zoneId, ...page, signal }), eachRecord, logger),
      view: pageView([
        number("playlist_id"),
        text("name"),
        number("songs"),
        number("artists"),
        text("streaming_id"),
        text("edit_date"),
        text("description"),
      ]),
    }),
    action({
      name: "overrides",
      summary: "playlists that play in a zone instead of the scheduled ones; without their ids",
      notes: noOverrideIds,
      example: "--zone-id 77",
      flags: { ...flags, ...pageFlags },
      call: ({ client, signal, logger }, { zoneId, ...inputs }) =>
        pageOrAll(
          inputs,
          (page) => client.playlists.overridesPage({ zoneId, ...page, signal }),
          eachRecord,
          logger,
        ),
      view: pageView([
        number("playlist.playlist_id", "playlist_id"),
        text("playlist.name", "name"),
        text("start_time"),
        text("end_time"),
        number("minutes_remaining"),
      ]),
    }),
    action({
      name: "override",
      summary: "play a playlist in a zone for a number of minutes",
      example: "--zone-id 77 --playlist-id 12 --duration 90",
      flags: { ...flags, playlistId: required(values.playlistId), duration: required(values.minutes) },
      announce: ({ zoneId, playlistId, duration }) =>
        `Play playlist ${playlistId} in zone ${zoneId} for ${countOf(duration, "minute")}`,
      call: ({ client, signal }, { zoneId, playlistId, duration }) =>
        client.playlists.override({ zoneId, playlistId, durationMinutes: duration, signal }),
      view: done({}),
    }),
    action({
      name: "clear-overrides",
      summary: "remove all overrides of a zone: it returns to its schedule",
      example: "--zone-id 77",
      flags,
      announce: ({ zoneId }) => `Remove all playlist overrides of zone ${zoneId}`,
      call: ({ client, signal }, { zoneId }) => client.playlists.clearOverrides({ zoneId, signal }),
      view: done({}),
    }),
    action({
      name: "remove-override",
      summary: "remove one override, whose id must be known from elsewhere",
      notes: noOverrideIds,
      example: "--zone-id 77 --override-id 5",
      flags: { ...flags, overrideId: required(values.overrideId) },
      announce: ({ zoneId, overrideId }) => `Remove playlist override ${overrideId} of zone ${zoneId}`,
      call: ({ client, signal }, { zoneId, overrideId }) =>
        client.playlists.removeOverride({ zoneId, overrideId, signal }),
      view: done({}),
    }),
  ],
};
