import { z } from "zod";
import { type DeviceStatus, deviceStatus, type Screenshot, screenshot } from "../records/device-status.ts";
import { commandResponse } from "../records/page.ts";
import type { Service } from "../service.ts";
import type { GroupInput, ListInput, ReadInput, ZoneInput } from "./inputs.ts";

/** `null` means an empty list here, as it does in other listings. */
const screenshots = z
  .array(screenshot)
  .nullable()
  .transform((list) => list ?? []);

/** Media players. */
export class Devices {
  readonly #service: Service;

  /** @internal */
  constructor(service: Service) {
    this.#service = service;
  }

  /**
   * Lists every media player below a group. `GET devices/status`. The service documents no order.
   * @throws {TruncatedListError} if a long response is cut off after some records were returned; read it
   *   again
   */
  status({ groupId, ...options }: GroupInput & ListInput): AsyncGenerator<DeviceStatus, void, undefined> {
    return this.#service.list({
      path: "ext/devices/status",
      query: { group_id: groupId },
      item: deviceStatus,
      ...options,
    });
  }

  /** Lists screenshots of a zone's device. `GET devices/screenshots`. */
  screenshots({ zoneId, ...options }: ZoneInput & ReadInput): Promise<Screenshot[]> {
    return this.#service.request({
      method: "GET",
      path: "ext/devices/screenshots",
      query: { zone_id: zoneId },
      schema: screenshots,
      noContent: null,
      ...options,
    });
  }

  /**
   * Restarts a zone's device. `POST devices/reboot`.
   * @throws {OutcomeUnknownError} if the response was lost
   */
  reboot({ zoneId, signal }: ZoneInput): Promise<void> {
    return this.#service.request({
      method: "POST",
      path: "ext/devices/reboot",
      body: { zone_id: zoneId },
      ...commandResponse,
      signal,
    });
  }
}
