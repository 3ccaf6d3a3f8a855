import { z } from "zod";
import { maybeNumber, maybeRecord, maybeText, maybeWholeNumber, text, wholeNumber } from "./lenient.ts";

const location = z.looseObject({
  location_id: maybeWholeNumber,
  name: maybeText,
  street: maybeText,
  city: maybeText,
  state: maybeText,
  zip: maybeText,
  /** Decimal degrees. */
  latitude: maybeText,
  /** Decimal degrees. */
  longitude: maybeText,
});

export const deviceStatus = z.looseObject({
  zone_id: wholeNumber,
  device_id: wholeNumber,
  /** E.g. `online`; the service does not document the possible values. */
  status: maybeText,
  platform: maybeText,
  model: maybeText,
  firmware: maybeText,
  version: maybeText,
  ip_address: maybeText,
  mac_address: maybeText,
  /** Kilobits per second, as text. */
  bandwidth_kbps: maybeText,
  /** Megabytes, as text. */
  storage_used_mb: maybeText,
  /** Megabytes, as text. */
  storage_total_mb: maybeText,
  /** `YYYY-MM-DD HH:MM:SS`, without a time zone. */
  last_online_date: maybeText,
  /** The service documents no unit. */
  last_online_ago: maybeNumber,
  /** `YYYY-MM-DD HH:MM:SS`, without a time zone. */
  last_play_date: maybeText,
  last_sd_error: maybeText,
  /** `YYYY-MM-DD HH:MM:SS`, without a time zone. */
  last_sd_error_date: maybeText,
  location: maybeRecord(location),
});

/** A media player and its location. */
export type DeviceStatus = z.output<typeof deviceStatus>;

export const screenshot = z.looseObject({
  /** URL of the image. */
  url: text,
  /** `YYYY-MM-DD HH:MM:SS`, without a time zone. */
  add_date: maybeText,
});

/** A screenshot of a zone's device. */
export type Screenshot = z.output<typeof screenshot>;
