import { z } from "zod";
import { type DeviceStatus, deviceStatus, type Screenshot, screenshot } from "../records/device-status.ts";
import { commandAnswer } from "../records/page.ts";
import type { Service } from "../service.ts";
import type { GroupInput, ListInput, ReadInput, ZoneInput } from "./inputs.ts";

/** `null` is an empty list, as it is of other listings. */
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
   * Every media player below a group. `GET devices/status`. The service documents no order.
   * @throws {AnswerCutError} when a long answer is cut off after records of it were handed on: read it again
   */
  status({ groupId, ...options }: GroupInput & ListInput): AsyncGenerator<DeviceStatus, void, undefined> {
    return this.#service.list({
      path: "ext/devices/status",
      query: { group_id: groupId },
      item: deviceStatus,
      ...options,
    });
  }

  /** Pictures of what a zone's device showed. `GET devices/screenshots`. */
  screenshots({ zoneId, ...options }: ZoneInput & ReadInput): Promise<Screenshot[]> {
    return this.#service.ask({
      method: "GET",
      path: "ext/devices/screenshots",
      query: { zone_id: zoneId },
      answer: screenshots,
      noContent: null,
      ...options,
    });
  }

  /**
   * Restarts a zone's device. `POST devices/reboot`.
   * @throws {MaybeCarriedOutError} when the answer was lost
   */
  reboot({ zoneId, signal }: ZoneInput): Promise<void> {
    return this.#service.ask({
      method: "POST",
      path: "ext/devices/reboot",
      body: { zone_id: zoneId },
      ...commandAnswer,
      signal,
    });
  }
}
