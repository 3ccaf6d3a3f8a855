import type { Context, Hono } from "hono";
import { dayMs } from "../../world/calendar-day.ts";
import { assetRecord } from "../../world/content/content-listing.ts";
import { listingHeaders } from "../answers/listing-headers.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { RefusalError } from "../refusal-error.ts";
import { listedFor, ownerForms, readableOwner, usableAsset } from "../requests/content-of-request.ts";
import { type MultipartForm, readMultipartForm, type UploadedFile } from "../requests/multipart-form.ts";
import {
  checkNames,
  commandBody,
  findDates,
  requiredBodyInteger,
  requiredFormInteger,
  requiredQueryInteger,
  requiredText,
} from "../requests/request-inputs.ts";
import type { ServiceEnv } from "../service-env.ts";

/** Nobody looks into an uploaded file. */
const uploadedSecs = 15;

/** Assets: `signage/asset…` and `messaging/asset…`, identical in shape. */
export function addAssetEndpoints(ext: Hono<ServiceEnv>, service: EmulatedService): void {
  const { catalogues, clock } = service;

  for (const kind of ["signage", "messaging"] as const) {
    const catalogue = catalogues[kind];

    for (const form of ownerForms) {
      const ownerField = `${form}_id`;

      ext.get(`/${kind}/assets/${form}`, (c) => {
        const owner = readableOwner(c, service, form, requiredQueryInteger(c, ownerField));
        const atMs = clock.now.getTime();
        const assets = listedFor(service, catalogue.assets(atMs), owner).map(({ item }) =>
          assetRecord(item, atMs),
        );
        return c.json(assets, 200, listingHeaders(service));
      });

      ext.post(`/${kind}/asset/${form}`, async (c) => {
        const fields = await uploadFields(c, [ownerField, "name", "start_date", "end_date", "file"]);
        requiredFile(fields);
        const asset = {
          naming: { name: requiredText(fields, "name") },
          ...findDates(fields),
          addDay: Math.floor(clock.now.getTime() / dayMs),
          durationSecs: uploadedSecs,
        };
        const owner = readableOwner(c, service, form, requiredFormInteger(fields, ownerField));
        catalogue.createAsset(owner, asset);
        return c.json(true);
      });

      ext.delete(`/${kind}/asset/${form}`, async (c) => {
        const body = await commandBody(c, [ownerField, "asset_id"]);
        const assetId = requiredBodyInteger(body, "asset_id");
        const owner = readableOwner(c, service, form, requiredBodyInteger(body, ownerField));
        usableAsset(service, kind, assetId, owner);
        catalogue.archiveAsset(assetId);
        return c.json(true);
      });
    }
  }
}

/** The file is read to its end, and is gone then. */
async function uploadFields(c: Context<ServiceEnv>, names: readonly string[]): Promise<MultipartForm> {
  const form = await readMultipartForm(c.env.incoming);
  c.get("record").inputs = form;
  checkNames(form, names);
  return form;
}

/** @throws {RefusalError} 400 when there is none, or nothing in it */
function requiredFile({ file }: MultipartForm): UploadedFile {
  if (file === undefined) throw new RefusalError(400, "missing_parameter", "file is required.");
  if (typeof file === "string") throw new RefusalError(400, "invalid_parameter", "file must be a file.");
  if (file.sizeBytes > 0) return file;
  throw new RefusalError(400, "invalid_parameter", "The file is empty.");
}
