import { z } from "zod";
import { contentKinds, kinds } from "../util/kind.ts";
import { VenueError } from "../util/venue-error.ts";
import type { FaultSetting } from "./server/faults/fault-table.ts";

/** Order of records in history pages. The service does not document the order. */
export const historyOrders = ["newest", "oldest", "unsorted"] as const;
export type HistoryOrder = (typeof historyOrders)[number];

/** Both ends inclusive. */
function number(min: number, max: number): z.ZodNumber {
  const error = `must be a number from ${min} to ${max}`;
  return z.number(error).min(min, error).max(max, error);
}

function whole(min: number, max: number): z.ZodInt {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
}

const seconds = number(0, 1e9);
/** Days since the world's first day. */
const day = whole(0, 3660);

export const worldOptions = z.object({
  /** The same seed gives the same world. */
  seed: whole(0, 2 ** 32 - 1).default(1),
  /** First local day on which zones open. */
  startDate: z.iso.date("must be a date, YYYY-MM-DD").default("2026-09-23"),
  /** Number of days, from the first, on which zones open. */
  days: whole(1, 3660).default(60),
  zones: whole(1, 10_000).default(12),
  /**
   * Factor for the number of plays. Below 1, there are pauses. Above 1, plays overlap, which is useful only for
   * volume.
   */
  playScale: number(0.001, 20).default(1),
  /**
   * Scales that replace `playScale` in one zone, by default for all kinds. With 0, nothing plays. For music, a
   * scale of 70 yields a million records in 60 days of 15 hours.
   */
  zoneScales: z
    .array(z.object({ zoneId: z.int(), kind: z.enum(kinds).optional(), playScale: number(0, 300) }))
    .readonly()
    .default([]),
  /**
   * Edits of campaign rules or assets during the world's days, which also change the plays. `assetIds` replaces
   * all assets of the campaign; any assets of its kind are allowed.
   */
  campaignEdits: z
    .array(
      z.object({
        kind: z.enum(contentKinds),
        campaignId: z.int(),
        day,
        rule: z.string().optional(),
        assetIds: z.array(z.int()).readonly().optional(),
      }),
    )
    .readonly()
    .default([]),
  /** Device replacements at midnight (UTC) of a day. The new device plays like the previous one. */
  deviceSwaps: z
    .array(z.object({ zoneId: z.int(), day, deviceId: whole(1, Number.MAX_SAFE_INTEGER) }))
    .readonly()
    .default([]),
});
export type WorldOptions = z.input<typeof worldOptions>;
export type WorldSettings = z.output<typeof worldOptions>;
export type CampaignEdit = WorldSettings["campaignEdits"][number];
export type DeviceSwap = WorldSettings["deviceSwaps"][number];

export const emulatorOptions = worldOptions.extend({
  /** Port of the main and status API; 0 selects a free port. Downloads always use free ports. */
  port: whole(0, 65_535).default(0),
  /** Initial instant of the emulator's clock. @default the end of the world's last day in all zones */
  now: z.date("must be a valid date").optional(),
  /** Accepted main API requests per second. */
  ratePerSecond: number(0.01, 100_000).default(1),
  /** Minimum duration of an export, in real seconds. */
  exportSeconds: seconds.default(2),
  /** Lifetime of a download link, in real seconds. */
  linkSeconds: seconds.default(3600),
  /** Time for which clients may cache listings and history pages. */
  listingMaxAgeSeconds: seconds.default(5),
  /** Maximum number of records per history page, regardless of the requested limit. */
  pageLimit: whole(1, 1e9).default(500),
  /** Order of history pages. */
  order: z.enum(historyOrders).default("newest"),
  /** @default unlimited */
  downloadBytesPerSecond: number(1, 1e12).optional(),
  /** Groups that the client may read. @default all */
  readableGroupIds: z.array(z.int()).readonly().optional(),
  /** Faults active from the start. */
  faults: z.custom<readonly FaultSetting[]>().default([]),
});
export type EmulatorOptions = z.input<typeof emulatorOptions>;
export type ServiceSettings = z.output<typeof emulatorOptions>;

/** @throws {EmulatorOptionError} naming an option that is out of range */
export function parseOptions<Options>(schema: z.ZodType<Options>, options: unknown): Options {
  const { data, error } = schema.safeParse(options, { reportInput: true });
  const [issue] = error?.issues ?? [];
  if (!issue) return data as Options;
  throw new EmulatorOptionError(
    `The emulator's ${issue.path.join(".")} is ${issue.input}, but ${issue.message}.`,
  );
}

export class EmulatorOptionError extends VenueError {
  constructor(message: string, options?: ErrorOptions) {
    super("EMULATOR_OPTION", "usage", message, options);
  }
}
