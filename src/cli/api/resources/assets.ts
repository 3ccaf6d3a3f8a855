import { resolve } from "node:path";
import type { VenueClient } from "../../../api/client.ts";
import { type Action, actionsOf } from "../action.ts";
import { checkUploadFile, describeUploadFile } from "../flags/check-upload-file.ts";
import { required } from "../flags/flag.ts";
import { values } from "../flags/flag-values.ts";
import { byOwner, checkOwner, describeOwner, ownerFlags } from "../flags/owner.ts";
import { checkPeriod, describePeriod, periodFlags } from "../flags/period.ts";
import { number, text } from "../views/columns.ts";
import { done, table } from "../views/view.ts";

const action = actionsOf<VenueClient>();
const files = { signage: "an image or a video", messaging: "a sound file" };
const exampleFiles = { signage: "spring.png", messaging: "spring.mp3" };

/** Assets of one kind; signage and audio messaging are alike. */
export function assetActions(kind: "signage" | "messaging"): Action<VenueClient>[] {
  return [
    action({
      name: "assets",
      summary: `${kind} assets of a group or a zone`,
      example: "--group-id 58429",
      flags: ownerFlags,
      check: checkOwner,
      call: ({ client, signal }, owner) =>
        byOwner(owner, {
          group: (groupId) => client[kind].assetsOfGroup({ groupId, signal }),
          zone: (zoneId) => client[kind].assetsOfZone({ zoneId, signal }),
        }),
      view: table(
        number("asset_id"),
        text("name"),
        number("duration"),
        text("add_date"),
        text("start_date"),
        text("end_date"),
        text("url"),
      ),
    }),
    action({
      name: "upload-asset",
      summary: `upload ${files[kind]} as a ${kind} asset`,
      example: `--group-id 58429 --name "Spring sale" --file ${exampleFiles[kind]}`,
      flags: {
        ...ownerFlags,
        name: required(values.name),
        file: required(values.path(files[kind])),
        ...periodFlags,
      },
      check: (inputs, workingFolder) =>
        checkOwner(inputs) ?? checkPeriod(inputs) ?? checkUploadFile(inputs.file, workingFolder),
      announce: ({ name, file, ...inputs }, workingFolder) =>
        `Upload ${describeUploadFile(file, workingFolder)} as the ${kind} asset ${JSON.stringify(name)} of ` +
        `${describeOwner(inputs)}${describePeriod(inputs)}`,
      call({ client, signal, workingFolder }, { groupId, zoneId, file, ...rest }) {
        const asset = { ...rest, file: resolve(workingFolder, file), signal };
        return byOwner(
          { groupId, zoneId },
          {
            group: (id) => client[kind].uploadAssetToGroup({ groupId: id, ...asset }),
            zone: (id) => client[kind].uploadAssetToZone({ zoneId: id, ...asset }),
          },
        );
      },
      view: done(),
    }),
    action({
      name: "archive-asset",
      summary: `archive a ${kind} asset: it leaves the listing`,
      example: "--group-id 58429 --asset-id 88",
      flags: { ...ownerFlags, assetId: required(values.assetId) },
      check: checkOwner,
      announce: ({ assetId, ...owner }) => `Archive ${kind} asset ${assetId} of ${describeOwner(owner)}`,
      call: ({ client, signal }, { assetId, ...owner }) =>
        byOwner(owner, {
          group: (groupId) => client[kind].archiveAssetOfGroup({ groupId, assetId, signal }),
          zone: (zoneId) => client[kind].archiveAssetOfZone({ zoneId, assetId, signal }),
        }),
      view: done(),
    }),
  ];
}
