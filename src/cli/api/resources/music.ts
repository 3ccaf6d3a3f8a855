import type { VenueClient } from "../../../api/client.ts";
import { actionsOf, type Resource } from "../action.ts";
import { required } from "../flags/flag.ts";
import { values } from "../flags/flag-values.ts";
import { number, text } from "../views/columns.ts";
import { done, record } from "../views/view.ts";

const action = actionsOf<VenueClient>();
const flags = { zoneId: required(values.zoneId) };
const example = "--zone-id 77";
const tracks = [
  number("song_id"),
  text("song"),
  number("artist_id"),
  text("artist"),
  number("likes"),
  number("dislikes"),
  text("user"),
];

export const music: Resource<VenueClient> = {
  name: "music",
  summary: "what plays in a zone: look, skip, start, stop, volume",
  api: "main",
  actions: [
    action({
      name: "now-playing",
      summary: "what plays now, what comes, and what was played",
      example,
      flags,
      call: ({ client, signal }, { zoneId }) => client.music.nowPlaying({ zoneId, signal }),
      view: record({ lists: { queue: tracks, recent: tracks } }),
    }),
    action({
      name: "skip",
      summary: "end the song that plays; the next one starts at once",
      example,
      flags,
      announce: ({ zoneId }) => `Skip the song that plays in zone ${zoneId}`,
      call: ({ client, signal }, { zoneId }) => client.music.skip({ zoneId, signal }),
      view: done(),
    }),
    action({
      name: "start",
      summary: "begin to play",
      example,
      flags,
      announce: ({ zoneId }) => `Start the music in zone ${zoneId}`,
      call: ({ client, signal }, { zoneId }) => client.music.start({ zoneId, signal }),
      view: done(),
    }),
    action({
      name: "stop",
      summary: "halt what plays",
      example,
      flags,
      announce: ({ zoneId }) => `Stop the music in zone ${zoneId}`,
      call: ({ client, signal }, { zoneId }) => client.music.stop({ zoneId, signal }),
      view: done(),
    }),
    action({
      name: "volume",
      summary: "set the volume",
      example: "--zone-id 77 --volume 40",
      flags: { ...flags, volume: required(values.volume) },
      announce: ({ zoneId, volume }) => `Set the volume of zone ${zoneId} to ${volume}`,
      call: ({ client, signal }, { zoneId, volume }) => client.music.setVolume({ zoneId, volume, signal }),
      view: done(),
    }),
  ],
};
