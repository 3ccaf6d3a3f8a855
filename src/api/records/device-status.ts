import { z } from "zod";
import { decimalNumber, text, wholeNumber } from "./lenient.ts";

const location = z.looseObject({
  location_id: wholeNumber.nullish(),
  name: text.nullish(),
  street: text.nullish(),
  city: text.nullish(),
  state: text.nullish(),
  zip: text.nullish(),
  /** Decimal degrees. */
  latitude: text.nullish(),
  /** Decimal degrees. */
  longitude: text.nullish(),
});

export const deviceStatus = z.looseObject({
  zone_id: wholeNumber,
  device_id: wholeNumber,
  /** E.g. `online`; the service documents no list. */
  status: text.nullish(),
  platform: text.nullish(),
  model: text.nullish(),
  firmware: text.nullish(),
  version: text.nullish(),
  ip_address: text.nullish(),
  mac_address: text.nullish(),
  /** Kilobits per second, as text. */
  bandwidth_kbps: text.nullish(),
  /** Megabytes, as text. */
  storage_used_mb: text.nullish(),
  /** Megabytes, as text. */
  storage_total_mb: text.nullish(),
  /** `YYYY-MM-DD HH:MM:SS`, without a zone. */
  last_online_date: text.nullish(),
  /** The service documents no unit. */
  last_online_ago: decimalNumber.nullish(),
  /** `YYYY-MM-DD HH:MM:SS`, without a zone. */
  last_play_date: text.nullish(),
  last_sd_error: text.nullish(),
  /** `YYYY-MM-DD HH:MM:SS`, without a zone. */
  last_sd_error_date: text.nullish(),
  location: location.nullish(),
});

/** A media player and its place. */
export type DeviceStatus = z.output<typeof deviceStatus>;
