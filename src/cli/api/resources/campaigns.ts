import type { VenueClient } from "../../../api/client.ts";
import { type Action, actionsOf } from "../action.ts";
import { optional, required } from "../flags/flag.ts";
import { values } from "../flags/flag-values.ts";
import { byOwner, checkOwner, describeOwner, ownerFlags } from "../flags/owner.ts";
import { checkPeriod, describePeriod, periodFlags } from "../flags/period.ts";
import { number, text } from "../views/columns.ts";
import { done, table } from "../views/view.ts";

const action = actionsOf<VenueClient>();
const inZone = { zoneId: required(values.zoneId), campaignId: required(values.campaignId) };
const link = { campaignId: required(values.campaignId), assetId: required(values.assetId) };

/** Campaigns of one kind; signage and audio messaging are alike. */
export function campaignActions(kind: "signage" | "messaging"): Action<VenueClient>[] {
  return [
    action({
      name: "campaigns",
      summary: `${kind} campaigns of a group or a zone`,
      example: "--group-id 58429",
      flags: ownerFlags,
      check: checkOwner,
      call: ({ client, signal }, owner) =>
        byOwner(owner, {
          group: (groupId) => client[kind].campaignsOfGroup({ groupId, signal }),
          zone: (zoneId) => client[kind].campaignsOfZone({ zoneId, signal }),
        }),
      view: table(
        number("campaign_id"),
        text("name"),
        text("status"),
        text("start_date"),
        text("end_date"),
        text("rrule"),
        number("assets"),
      ),
    }),
    action({
      name: "create-campaign",
      summary: `create a ${kind} campaign`,
      example:
        '--group-id 58429 --name "Spring sale" --start-date 2026-03-01 --rrule "FREQ=DAILY;BYHOUR=9,17"',
      flags: {
        ...ownerFlags,
        name: required(values.name),
        ...periodFlags,
        rrule: optional(values.rrule),
      },
      check: (inputs) => checkOwner(inputs) ?? checkPeriod(inputs),
      announce: ({ name, rrule, ...inputs }) =>
        `Create the ${kind} campaign ${JSON.stringify(name)} of ${describeOwner(inputs)}${describePeriod(inputs)}` +
        `${rrule ? `, recurring by ${rrule}` : ""}`,
      call: ({ client, signal }, { groupId, zoneId, ...campaign }) =>
        byOwner(
          { groupId, zoneId },
          {
            group: (id) => client[kind].createCampaignOfGroup({ groupId: id, ...campaign, signal }),
            zone: (id) => client[kind].createCampaignOfZone({ zoneId: id, ...campaign, signal }),
          },
        ),
      view: done(),
    }),
    action({
      name: "archive-campaign",
      summary: `archive a ${kind} campaign: it leaves the listing`,
      example: "--group-id 58429 --campaign-id 1201",
      flags: { ...ownerFlags, campaignId: required(values.campaignId) },
      check: checkOwner,
      announce: ({ campaignId, ...owner }) =>
        `Archive ${kind} campaign ${campaignId} of ${describeOwner(owner)}`,
      call: ({ client, signal }, { campaignId, ...owner }) =>
        byOwner(owner, {
          group: (groupId) => client[kind].archiveCampaignOfGroup({ groupId, campaignId, signal }),
          zone: (zoneId) => client[kind].archiveCampaignOfZone({ zoneId, campaignId, signal }),
        }),
      view: done(),
    }),
    action({
      name: "enable-campaign",
      summary: `let a ${kind} campaign play in a zone`,
      example: "--zone-id 77 --campaign-id 1201",
      flags: inZone,
      announce: ({ zoneId, campaignId }) => `Enable ${kind} campaign ${campaignId} in zone ${zoneId}`,
      call: ({ client, signal }, inputs) => client[kind].enableCampaign({ ...inputs, signal }),
      view: done(),
    }),
    action({
      name: "disable-campaign",
      summary: `pause a ${kind} campaign in a zone`,
      example: "--zone-id 77 --campaign-id 1201",
      flags: inZone,
      announce: ({ zoneId, campaignId }) => `Disable ${kind} campaign ${campaignId} in zone ${zoneId}`,
      call: ({ client, signal }, inputs) => client[kind].disableCampaign({ ...inputs, signal }),
      view: done(),
    }),
    action({
      name: "play-campaign",
      summary: `play a ${kind} campaign in a zone now, over what is scheduled`,
      example: "--zone-id 77 --campaign-id 1201",
      flags: inZone,
      announce: ({ zoneId, campaignId }) =>
        `Play ${kind} campaign ${campaignId} in zone ${zoneId} now, over what is scheduled`,
      call: ({ client, signal }, inputs) => client[kind].playCampaign({ ...inputs, signal }),
      view: done(),
    }),
    action({
      name: "add-asset",
      summary: `add an asset to a ${kind} campaign`,
      example: "--campaign-id 1201 --asset-id 88",
      flags: link,
      announce: ({ campaignId, assetId }) => `Add asset ${assetId} to ${kind} campaign ${campaignId}`,
      call: ({ client, signal }, inputs) => client[kind].addAsset({ ...inputs, signal }),
      view: done(),
    }),
    action({
      name: "remove-asset",
      summary: `take an asset out of a ${kind} campaign`,
      example: "--campaign-id 1201 --asset-id 88",
      flags: link,
      announce: ({ campaignId, assetId }) => `Remove asset ${assetId} from ${kind} campaign ${campaignId}`,
      call: ({ client, signal }, inputs) => client[kind].removeAsset({ ...inputs, signal }),
      view: done(),
    }),
  ];
}
