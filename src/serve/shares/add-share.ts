import { createHash, randomBytes } from "node:crypto";
import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { findValues, unknownAttributeError } from "../../report/options/find-attributes.ts";
import { listAttributes, listValues, noValue } from "../../report/options/known-attributes.ts";
import { formatLabel, listNamedEntities, type NamedSubject } from "../../report/options/named-entities.ts";
import { ReportOptionError } from "../../report/options/option-error.ts";
import { parseWhere } from "../../report/options/parse-values.ts";
import { resolveEntities } from "../../report/options/resolve-entities.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import { selectSpans } from "../../report/published/share-tables.ts";
import { withPublished } from "../../report/published/with-published.ts";
import { joinWords } from "../../report/text/readable-text.ts";
import { openDataState } from "../../state/data/data-state.ts";
import type { Share, ShareFilter } from "../../state/data/shares.ts";
import { isLocalDate } from "../../util/local-date.ts";
import { checkSharedView, sharedViews, shareError } from "./shared-views.ts";

/** A customer token as requested; lists may contain comma-separated lists. */
export interface ShareRequest {
  name: string;
  where?: readonly string[] | undefined;
  campaign?: readonly string[] | undefined;
  /** Kind of the campaigns in `campaign`, because signage and messaging use the same ids. */
  kind?: string | undefined;
  views: readonly string[];
  expires?: string | undefined;
}

interface AddedShare {
  share: Share;
  /** Shown once; only its hash is stored. */
  token: string;
  /** Number of campaigns in the current version that the token can read. */
  campaigns: number;
}

/** @throws {VenueError} `SHARE` or a `ReportOptionError` if the request is invalid */
export async function addShare(
  settings: Settings,
  { name, where = [], campaign = [], kind, views, expires }: ShareRequest,
  { signal, now }: { signal: AbortSignal; now: Date },
): Promise<AddedShare> {
  if (settings.get("VENUE_ENGINE") === "trino")
    throw shareError(
      "Customer tokens need the data folder: they give access to files that this machine published, not to a cluster's tables. Set VENUE_ENGINE=duckdb.",
    );
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name))
    throw shareError(
      `${JSON.stringify(name)} is not a valid token name. Use up to 64 lower-case letters, digits, - and _.`,
    );
  const viewNames = [...new Set(views.flatMap((list) => list.split(",")).map((view) => view.trim()))];
  for (const view of viewNames) checkSharedView(view);
  if (expires !== undefined) checkExpiry(expires, now);
  if (where.length === 0 && campaign.length === 0)
    throw shareError("A token needs --where or --campaign: without them, it would open every campaign.");
  if (kind !== undefined && campaign.length === 0)
    throw shareError("--kind is the kind of the campaigns in --campaign. Add --campaign, or omit --kind.");
  return await withPublished(settings, signal, async (mart) => {
    const filter = await resolveFilter(mart, { where, campaign, kind });
    const campaigns = await countCampaigns(mart, filter);
    if (campaigns === 0)
      throw shareError("No campaign meets both --where and --campaign. Leave one of them out.");
    const token = randomBytes(32).toString("base64url");
    const share: Share = {
      name,
      tokenSha256: hashToken(token),
      ...filter,
      views: sharedViews.filter((view) => viewNames.includes(view)),
      createdAt: now.toISOString(),
      expiresOn: expires ?? null,
    };
    const state = openDataState(new DataFolder(settings.get("VENUE_DATA_DIR")).stateFile);
    try {
      if (!state.shares.add(share))
        throw shareError(
          `A token called ${name} exists. Choose another name, or remove it: venue serve token remove ${name}`,
        );
    } finally {
      state.close();
    }
    return { share, token, campaigns };
  });
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

async function resolveFilter(
  mart: PublishedMart,
  {
    where,
    campaign,
    kind,
  }: { where: readonly string[]; campaign: readonly string[]; kind: string | undefined },
): Promise<ShareFilter> {
  const known = await listAttributes(mart, ["campaign"]);
  const attributes: { name: string; values: string[] }[] = [];
  for (const filter of parseWhere(where)) {
    const attribute = known.find(({ name }) => name === filter.name);
    if (attribute === undefined) {
      const words = known.map(({ name }) => name);
      throw unknownAttributeError("--where", filter.name, { words, subjects: ["campaign"] });
    }
    const values = findValues(filter, await listValues(mart, attribute));
    if (values.includes(noValue))
      throw new ReportOptionError(
        "--where",
        `A token accepts values of ${filter.name}, not ${noValue}, which would include every new campaign.`,
      );
    const same = attributes.find(({ name }) => name === filter.name);
    if (same) same.values.push(...values);
    else attributes.push({ name: filter.name, values });
  }
  if (campaign.length === 0) return { attributes };
  return { campaigns: findCampaigns(await listNamedEntities(mart, "campaign"), campaign, kind), attributes };
}

/** @throws {ReportOptionError} if an id or name matches no campaign, or several */
function findCampaigns(
  all: readonly NamedSubject[],
  words: readonly string[],
  kind: string | undefined,
): number[] {
  const found = resolveEntities(
    "campaign",
    words,
    all.filter(({ detail }) => kind === undefined || detail === kind),
  );
  const same = found.filter(({ id }) => found.filter((other) => other.id === id).length > 1);
  if (same.length > 0) {
    const labels = same.map((one) => formatLabel("campaign", one));
    throw new ReportOptionError(
      "--campaign",
      `--campaign matches ${joinWords(labels, "and")}. Choose with --kind.`,
    );
  }
  return found.map(({ key }) => key);
}

async function countCampaigns(mart: PublishedMart, filter: ShareFilter): Promise<number> {
  const [found] = await mart.all<{ campaigns: number }>(
    `select count(distinct campaign_key) as campaigns from (${selectSpans(filter, (table) => table)}) as s`,
  );
  return Number(found?.campaigns);
}

function checkExpiry(date: string, now: Date): void {
  if (!isLocalDate(date))
    throw shareError(`--expires ${JSON.stringify(date)} is not a date. Write it as YYYY-MM-DD.`);
  const today = now.toISOString().slice(0, 10);
  if (date < today)
    throw shareError(
      `--expires ${date} is in the past: today is ${today} in UTC. Choose the last day on which the token should work.`,
    );
}
