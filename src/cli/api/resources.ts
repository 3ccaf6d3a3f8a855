import type { VenueClient } from "../../api/client.ts";
import type { Resource } from "./action.ts";
import { assetActions } from "./resources/assets.ts";
import { campaignActions } from "./resources/campaigns.ts";
import { devices } from "./resources/devices.ts";
import { history } from "./resources/history.ts";
import { music } from "./resources/music.ts";
import { playlists } from "./resources/playlists.ts";
import { status } from "./resources/status.ts";

const signage: Resource<VenueClient> = {
  name: "signage",
  summary: "campaigns and assets on screens",
  api: "main",
  actions: [...campaignActions("signage"), ...assetActions("signage")],
};

const messaging: Resource<VenueClient> = {
  name: "messaging",
  summary: "audio messages: campaigns and assets",
  api: "main",
  actions: [...campaignActions("messaging"), ...assetActions("messaging")],
};

/** Everything that `venue api` can do, in the order in which it is listed. */
export const resources = [devices, music, playlists, messaging, signage, history, status] as const;
