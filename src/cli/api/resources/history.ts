import { resolve } from "node:path";
import type { VenueClient } from "../../../api/client.ts";
import { eachRecord } from "../../../api/each-record.ts";
import { downloadExport } from "../../../extract/on-demand/download-export.ts";
import { type Kind, kinds } from "../../../util/kind.ts";
import { type Action, actionsOf, type Resource } from "../action.ts";
import { required } from "../flags/flag.ts";
import { values } from "../flags/flag-values.ts";
import { pageFlags, pageOrAll, pageView } from "../page-view.ts";
import { type Column, number, text } from "../views/columns.ts";
import { jsonText } from "../views/json-text.ts";
import { jsonLines, record, type View } from "../views/view.ts";

const action = actionsOf<VenueClient>();

const items: Record<Kind, Column[]> = {
  music: [number("song_id"), text("song_name"), number("artist_id"), text("artist_name")],
  signage: [number("asset_id"), text("asset_name")],
  messaging: [number("asset_id"), text("asset_name")],
};

const saved: View<{ path: string; bytes: number }> = {
  async *text({ path, bytes }) {
    yield `Saved ${path} (${bytes} bytes).\n`;
  },
  async *json(answer) {
    yield `${jsonText(answer)}\n`;
  },
};

function historyOfZone(kind: Kind): Action<VenueClient> {
  const columns = [text("play_start"), number("duration_secs"), ...items[kind], text("location_name")];
  return action({
    name: kind,
    summary: `the ${kind} history of a zone, page by page; all of it as JSON Lines with --all`,
    example: "--zone-id 77 --limit 20",
    flags: { zoneId: required(values.zoneId), ...pageFlags },
    call: ({ client, signal, logger }, { zoneId, ...inputs }) =>
      pageOrAll(inputs, (page) => client.history.page({ kind, zoneId, ...page, signal }), eachRecord, logger),
    view: pageView(columns, jsonLines()),
  });
}

export const history: Resource<VenueClient> = {
  name: "history",
  summary: "what played: zone by zone, or the whole of a group as an export",
  api: "main",
  actions: [
    ...kinds.map(historyOfZone),
    action({
      name: "export",
      summary: "ask for an export of a group's whole history; prints its job id",
      notes: "It prepares a file and changes nothing, so nothing is asked; --yes is accepted.",
      example: "--kind music --group-id 58429",
      flags: { kind: required(values.word("what played", kinds)), groupId: required(values.groupId) },
      isYesTaken: true,
      call: ({ client, signal }, { kind, groupId }) => client.exports.create({ kind, groupId, signal }),
      view: record(),
    }),
    action({
      name: "export-job",
      summary: "how far an export is, and where its file can be downloaded",
      notes: "The link opens the file to whoever knows it, until it expires.",
      example: "--job-id 5f2c",
      flags: { jobId: required(values.jobId) },
      call: ({ client, signal }, { jobId }) => client.exports.get({ jobId, signal }),
      view: record(),
    }),
    action({
      name: "download",
      summary: "download a completed export, until it is proven whole",
      notes: "Stopped or cut off, the next call with the same file goes on where it was (FILE.part).",
      example: "--job-id 5f2c --out music.jsonl",
      flags: { jobId: required(values.jobId), out: required(values.path("where the file goes")) },
      call: ({ workingFolder, ...tools }, { jobId, out }) =>
        downloadExport({ ...tools, jobId, path: resolve(workingFolder, out) }),
      view: saved,
    }),
  ],
};
