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

export interface FaultSetting {
  name: FaultName;
  /** Number of times that the fault strikes. @default unlimited */
  times?: number | undefined;
  /** Probability of striking, from 0 to 1, drawn with the world's seed. @default 1 */
  probability?: number | undefined;
  /**
   * Limits the fault to requests whose method and path contain this text, e.g. `GET /exports/` for downloads.
   */
  endpoint?: string | undefined;
  /** The fault table has its meaning and default. */
  value?: number | undefined;
}

export interface FaultTarget {
  origin: FaultOrigin | "status";
  /** Method and path. */
  endpoint: string;
}

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

  /** Replaces all settings. @throws {EmulatorOptionError} for an unknown name or a number out of range */
  set(settings: readonly FaultSetting[]): void {
    this.#settings = settings.map((setting) => {
      const { name, times = Number.POSITIVE_INFINITY, probability = 1 } = setting;
      if (!isFaultName(name)) {
        throw new EmulatorOptionError(`Unknown fault ${name}. Valid faults: ${faultNames.join(", ")}.`);
      }
      checkNumber(`times of ${name}`, times, { min: 0, max: Number.POSITIVE_INFINITY });
      checkNumber(`probability of ${name}`, probability, { min: 0, max: 1 });
      return { setting, timesLeft: times };
    });
  }

  /** Returns the setting of an active fault for a target, whether it strikes or not. */
  find(name: FaultName, target: FaultTarget): FaultSetting | undefined {
    return this.#settings.find(({ setting }) => isAimed(setting, name, target))?.setting;
  }

  /**
   * Returns the fault's value if it strikes, which uses up one of its `times`.
   * @param subject id in the request, for faults whose value is an id
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
