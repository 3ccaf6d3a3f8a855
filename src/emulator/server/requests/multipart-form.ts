import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import { type ContentOwner, isAccessibleIn, isOwnedBy, type Owned } from "../../changes/content-catalogue.ts";
import type { ContentKind } from "../../world/content/content-kind.ts";
import type { ListedAsset, ListedCampaign } from "../../world/content/content-listing.ts";
import type { Zone } from "../../world/premises/zone.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { RefusalError } from "../refusal-error.ts";
import type { ServiceEnv } from "../service-env.ts";
import { requireReadableGroup, requireReadableZone } from "./request-inputs.ts";

/** Metadata of an uploaded file; its bytes are not kept. */
export interface UploadedFile {
  fileName: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
}

export type MultipartForm = Record<string, string | UploadedFile>;

/** Maximum length of a text field, and of a part's headers. */
const maxTextBytes = 65_536;
const headerEnd = Buffer.from("\r\n\r\n");

/**
 * Parses `multipart/form-data` (RFC 7578) as it arrives, keeping only one chunk of a file in memory.
 * @throws {RefusalError} 400 for an invalid or truncated body, or a repeated field; the rest of the body is
 *   left unread
 */
export async function readMultipartForm(incoming: IncomingMessage): Promise<MultipartForm> {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;.*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(
      incoming.headers["content-type"] ?? "",
    ) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw createFormError("The body must be multipart/form-data with a boundary.");
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const form: MultipartForm = {};
  let part: OpenPart | undefined;
  let place: "in part" | "in headers" | "after" = "in part";
  // With this line break, a delimiter can start the body. Any text before it belongs to no part.
  let rest: Buffer = Buffer.from("\r\n");
  // The rest of a refused body is read elsewhere, so that the client receives the response.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (place === "after") continue;
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      if (place === "in part") {
        const end = rest.indexOf(delimiter);
        const keep = end < 0 ? Math.max(0, rest.length - delimiter.length + 1) : end;
        part?.add(rest.subarray(0, keep));
        rest = rest.subarray(keep);
        if (end < 0) break;
        if (part) form[part.name] = part.value();
        part = undefined;
        rest = rest.subarray(delimiter.length);
        place = "in headers";
      }
      if (rest.length >= 2 && rest.toString("latin1", 0, 2) === "--") {
        place = "after";
        break;
      }
      const end = rest.indexOf(headerEnd);
      if (end < 0) {
        if (rest.length > maxTextBytes) throw createFormError("The headers of a part are too long.");
        break;
      }
      part = openPart(rest.toString("utf8", 0, end));
      if (Object.hasOwn(form, part.name)) throw createFormError(`The form has two ${part.name} fields.`);
      rest = rest.subarray(end + headerEnd.length);
      place = "in part";
    }
  }
  if (place !== "after") throw createFormError("The form is incomplete.");
  return form;
}

interface OpenPart {
  name: string;
  add(bytes: Buffer): void;
  value(): string | UploadedFile;
}

function openPart(headers: string): OpenPart {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(headers)?.[1] ?? "";
  const name = parseParameter(disposition, "name");
  if (!name) throw createFormError("A part of the form has no name.");
  const fileName = parseParameter(disposition, "filename");
  return fileName === undefined ? openText(name) : openFile(name, fileName, headers);
}

function openText(name: string): OpenPart {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  return {
    name,
    add(bytes) {
      sizeBytes += bytes.length;
      if (sizeBytes > maxTextBytes) throw createFormError(`The field ${name} is too long.`);
      chunks.push(Buffer.from(bytes));
    },
    value: () => Buffer.concat(chunks).toString(),
  };
}

function openFile(name: string, fileName: string, headers: string): OpenPart {
  const hash = createHash("sha256");
  const contentType = /^content-type:\s*(.+?)\s*$/im.exec(headers)?.[1] ?? "application/octet-stream";
  let sizeBytes = 0;
  return {
    name,
    add(bytes) {
      sizeBytes += bytes.length;
      hash.update(bytes);
    },
    value: () => ({ fileName, contentType, sizeBytes, sha256: hash.digest("hex") }),
  };
}

/** Reads a parameter. Browsers and clients encode a quote in a name as `%22`, and line breaks as `%0D%0A`. */
function parseParameter(disposition: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|;)\\s*${name}="([^"]*)"`, "i").exec(disposition)?.[1];
  return value?.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}

function createFormError(message: string): RefusalError {
  return new RefusalError(400, "invalid_body", message);
}

/** Owner types of campaigns and assets, as the last part of a path. */
export const ownerForms = ["group", "zone"] as const;
type OwnerForm = (typeof ownerForms)[number];

/** @throws {RefusalError} 404 for an unknown group or zone, 403 for one that the client may not read */
export function requireReadableOwner(
  c: Context<ServiceEnv>,
  service: EmulatedService,
  form: OwnerForm,
  ownerId: number,
): ContentOwner {
  if (form === "group") return { groupId: requireReadableGroup(c, service, ownerId) };
  return { zoneId: requireReadableZone(c, service, ownerId).zoneId };
}

/** Returns the content listed for a group (its own) or a zone (everything accessible there). */
export function selectListed<Item>(
  { world }: EmulatedService,
  owned: readonly Owned<Item>[],
  owner: ContentOwner,
): Owned<Item>[] {
  const zone = "zoneId" in owner ? world.findZone(owner.zoneId) : undefined;
  return owned.filter((entry) => (zone ? isAccessibleIn(entry, zone) : isOwnedBy(entry, owner)));
}

/**
 * @throws {RefusalError} 404 unless the campaign is listed and the client may use it in `where` (default:
 *   anywhere)
 */
export function requireUsableCampaign(
  service: EmulatedService,
  kind: ContentKind,
  campaignId: number,
  where?: ContentOwner | Zone,
): Owned<ListedCampaign> {
  const campaigns = service.catalogues[kind].campaigns(service.clock.now.getTime());
  const found = campaigns.find(({ item }) => item.campaignId === campaignId);
  if (found && isUsable(service, found, where)) return found;
  throw new RefusalError(404, "unknown_campaign", `No ${kind} campaign ${campaignId} is accessible here.`);
}

/** @throws {RefusalError} 404 under the same conditions as for campaigns */
export function requireUsableAsset(
  service: EmulatedService,
  kind: ContentKind,
  assetId: number,
  where?: ContentOwner,
): Owned<ListedAsset> {
  const assets = service.catalogues[kind].assets(service.clock.now.getTime());
  const found = assets.find(({ item }) => item.itemId === assetId);
  if (found && isUsable(service, found, where)) return found;
  throw new RefusalError(404, "unknown_asset", `No ${kind} asset ${assetId} is accessible here.`);
}

function isUsable(
  { access, world }: EmulatedService,
  entry: Owned<unknown>,
  where?: ContentOwner | Zone,
): boolean {
  if (where) return "deviceId" in where ? isAccessibleIn(entry, where) : isOwnedBy(entry, where);
  const { owner } = entry;
  if ("groupId" in owner) return access.mayRead([owner.groupId]);
  return access.mayRead(world.findZone(owner.zoneId)?.groupIds ?? []);
}
