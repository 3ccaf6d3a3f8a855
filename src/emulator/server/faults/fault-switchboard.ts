import { checkNumber, EmulatorOptionError } from "../../options.ts";
import { Random } from "../../world/random.ts";
import {
  defaultFaultValue,
  type FaultName,
  type FaultOrigin,
  faultNames,
  faultTable,
  isFaultName,
} from "./fault-table.ts";

/** A fault that is switched on. */
export interface FaultSetting {
  name: FaultName;
  /** How often it strikes. @default until it is switched off */
  times?: number | undefined;
  /** In which share of the cases it strikes, from 0 to 1; drawn from the seed. @default 1 */
  probability?: number | undefined;
  /** Strikes only requests whose method and path contain this, e.g. `POST /v5/ext/data/music`; `GET /exports/` are downloads. */
  endpoint?: string | undefined;
  /** What it means, and its default, is in the fault table. */
  value?: number | undefined;
}

/** Where a fault could strike. */
export interface FaultTarget {
  origin: FaultOrigin | "status";
  /** Method and path. */
  endpoint: string;
}

/** Decides whether a fault strikes. */
export class FaultSwitchboard {
  readonly #random: Random;
  #settings: { setting: FaultSetting; timesLeft: number }[] = [];

  constructor(seed: number) {
    this.#random = new Random(seed, "faults");
  }

  get settings(): FaultSetting[] {
    return this.#settings.map(({ setting, timesLeft }) => ({
      ...setting,
      ...(Number.isFinite(timesLeft) && { times: timesLeft }),
    }));
  }

  /**
   * Replaces all settings; none switches all faults off.
   * @throws {EmulatorOptionError} for an unknown name or a number out of range
   */
  set(settings: readonly FaultSetting[]): void {
    this.#settings = settings.map((setting) => {
      const { name, times = Number.POSITIVE_INFINITY, probability = 1 } = setting;
      if (!isFaultName(name)) {
        throw new EmulatorOptionError(`There is no fault ${name}. There are: ${faultNames.join(", ")}.`);
      }
      checkNumber(`times of ${name}`, times, { min: 0, max: Number.POSITIVE_INFINITY });
      checkNumber(`probability of ${name}`, probability, { min: 0, max: 1 });
      return { setting, timesLeft: times };
    });
  }

  /** The setting of a fault that is on for a target, whether it strikes or not. */
  find(name: FaultName, target: FaultTarget): FaultSetting | undefined {
    return this.#settings.find(({ setting }) => isAimed(setting, name, target))?.setting;
  }

  /**
   * What strikes, if the fault does; counts as one of its `times`.
   * @param subject the id that the request is about, where the fault's value is one
   */
  strike(name: FaultName, target: FaultTarget, subject?: number): { value: number | undefined } | undefined {
    for (const entry of this.#settings) {
      const { setting } = entry;
      if (!isAimed(setting, name, target) || entry.timesLeft < 1) continue;
      if (subject !== undefined && setting.value !== undefined && setting.value !== subject) continue;
      if (!this.#random.chance(setting.probability ?? 1)) continue;
      entry.timesLeft -= 1;
      return { value: setting.value ?? defaultFaultValue(name) };
    }
    return undefined;
  }
}

function isAimed(setting: FaultSetting, name: FaultName, target: FaultTarget): boolean {
  if (setting.name !== name) return false;
  return setting.endpoint
    ? target.endpoint.includes(setting.endpoint)
    : target.origin === faultTable[name].origin;
}
