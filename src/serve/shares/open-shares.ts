import { existsSync } from "node:fs";
import { LRUCache } from "lru-cache";
import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { findShare, type Share } from "../../state/data/shares.ts";
import type { Logger } from "../../util/logger.ts";
import { getErrorMessage } from "../../util/venue-error.ts";
import { Readers } from "../readers.ts";
import { Refusal } from "../refusal.ts";
import { createVersionCache, VersionPool } from "../versions/version-pool.ts";
import type { VersionSources } from "../versions/version-source.ts";
import { type Access, createAccessLog } from "./access-log.ts";

/** Maximum number of customer tokens whose pages are cached. */
const maxShares = 20;
/** Maximum number of versions open at the same time, over all customer tokens. */
const maxVersions = 6;

/** The data folder's customer tokens, which `venue serve token` may change while the server runs. */
export interface OpenShares {
  /**
   * Returns a customer token unless it has expired.
   * @throws {Refusal} 503 while the tokens can't be read
   */
  find(tokenSha256: string): Share | undefined;
  /** Returns readers whose versions contain only the customer's rows. Customers never get each other's cached pages. */
  readersOf(share: Share): Readers;
  record(access: Omit<Access, "at">): void;
  close(): Promise<void>;
}

interface OpenSharesOptions {
  settings: Settings;
  ofShare: VersionSources["ofShare"];
  now: () => Date;
  closing: AbortSignal;
  logger: Logger;
}

export function openShares({ settings, ofShare, now, closing, logger }: OpenSharesOptions): OpenShares {
  const { stateFile, shareLog } = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const versions = createVersionCache(maxVersions);
  const readers = new LRUCache<string, Readers>({ max: maxShares });
  let append: ReturnType<typeof createAccessLog> | undefined;
  const findStored: typeof findShare = (file, tokenSha256) => {
    try {
      return findShare(file, tokenSha256);
    } catch (error) {
      // The reason contains a path, and the client may be anybody.
      logger.warn(getErrorMessage(error));
      throw new Refusal(503, "Tokens can't be checked now. Try again later.", { "Retry-After": "60" });
    }
  };
  return {
    find(tokenSha256) {
      if (ofShare === undefined || !existsSync(stateFile)) return undefined;
      const share = findStored(stateFile, tokenSha256);
      const today = now().toISOString().slice(0, 10);
      return share?.expiresOn != null && share.expiresOn < today ? undefined : share;
    },
    readersOf(share) {
      const known = readers.get(share.tokenSha256);
      if (known !== undefined) return known;
      if (ofShare === undefined) throw new Error("shares need a published folder");
      const pool = new VersionPool(ofShare(share), versions, share.tokenSha256);
      const opened = new Readers({ pool, settings, now, closing, share });
      readers.set(share.tokenSha256, opened);
      return opened;
    },
    record(access) {
      try {
        append ??= createAccessLog(shareLog);
        append({ at: now().toISOString(), ...access });
      } catch (error) {
        logger.warn(`${shareLog} can't be written: ${getErrorMessage(error)}`);
      }
    },
    close: async () => await versions.close(),
  };
}
