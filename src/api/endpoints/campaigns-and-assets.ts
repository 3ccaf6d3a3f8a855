import { z } from "zod";
import type { Kind } from "../../util/kind.ts";
import { type Asset, asset } from "../records/asset.ts";
import { type Campaign, campaign } from "../records/campaign.ts";
import type { Service } from "../service.ts";
import type { GroupInput } from "./inputs.ts";

/** Campaigns and assets of one kind; signage and audio messaging are alike. Groups own them, or zones. */
export class CampaignsAndAssets {
  readonly #service: Service;
  readonly #kind: Exclude<Kind, "music">;

  constructor(service: Service, kind: Exclude<Kind, "music">) {
    this.#service = service;
    this.#kind = kind;
  }

  /** Campaigns that a group owns, each with its assets. `GET <kind>/campaigns/group`. Archived ones are left out. */
  async *campaignsOfGroup({ groupId, signal }: GroupInput): AsyncGenerator<Campaign, void, undefined> {
    yield* await this.#service.ask({
      method: "GET",
      path: `ext/${this.#kind}/campaigns/group`,
      query: { group_id: groupId },
      answer: z.array(campaign),
      signal,
    });
  }

  /** Assets that a group owns. `GET <kind>/assets/group`. Archived ones are left out. */
  async *assetsOfGroup({ groupId, signal }: GroupInput): AsyncGenerator<Asset, void, undefined> {
    yield* await this.#service.ask({
      method: "GET",
      path: `ext/${this.#kind}/assets/group`,
      query: { group_id: groupId },
      answer: z.array(asset),
      signal,
    });
  }
}
