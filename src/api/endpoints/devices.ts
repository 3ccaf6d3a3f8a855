import { z } from "zod";
import { type DeviceStatus, deviceStatus } from "../records/device-status.ts";
import type { Service } from "../service.ts";
import type { GroupInput } from "./inputs.ts";

/** Media players. */
export class Devices {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  /** Every media player below a group. `GET devices/status`. The service documents no order. */
  async *status({ groupId, signal }: GroupInput): AsyncGenerator<DeviceStatus, void, undefined> {
    yield* await this.#service.ask({
      method: "GET",
      path: "ext/devices/status",
      query: { group_id: groupId },
      answer: z.array(deviceStatus),
      signal,
    });
  }
}
