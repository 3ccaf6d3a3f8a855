import { Random } from "../../world/random.ts";
import type { PageInputs } from "../answers/page-envelope.ts";
import type { FaultSetting, FaultSwitchboard, FaultTarget } from "./fault-switchboard.ts";
import { defaultFaultValue } from "./fault-table.ts";

/** What is wrong with one page of history. */
interface PageFaults {
  /** Records that it holds at most. */
  limit: number;
  /** Records of the zone that are not told of yet. */
  hiddenCount: number;
  /** How many records before its offset it begins. */
  stepBack: number;
  /** Added to `total_count`. */
  totalError: number;
  spoil(records: string[]): string[];
}

/** Before how many pages hidden records come up. */
const pagesWithInsertions = 3;

/** Faults of history pages. Remembers how many hidden records of which zones have come up. */
export class HistoryFaults {
  readonly #faults: FaultSwitchboard;
  /** Per setting, and per kind and zone: pages before which records came up. Settings that were replaced are forgotten. */
  readonly #insertions = new WeakMap<FaultSetting, Map<string, number>>();

  constructor(faults: FaultSwitchboard) {
    this.#faults = faults;
  }

  /** @param subject kind and zone */
  of(target: FaultTarget, subject: string, { limit, offset }: PageInputs): PageFaults {
    const clamp = this.#faults.strike("clamped-limit", target)?.value ?? limit;
    const isRepeating = offset > 0 && this.#faults.strike("repeated-record", target) !== undefined;
    const isReversed = this.#faults.strike("reordered-page", target) !== undefined;
    const badShare = this.#faults.strike("bad-records", target)?.value ?? 0;
    const isEmpty = this.#faults.strike("empty-page", target) !== undefined;
    return {
      limit: Math.min(limit, clamp),
      hiddenCount: this.#hiddenCount(target, subject, offset),
      stepBack: isRepeating ? 1 : 0,
      totalError: this.#faults.strike("wrong-total", target)?.value ?? 0,
      spoil(records) {
        if (isEmpty) return [];
        const told = badShare > 0 ? spoilRecords(records, badShare) : records;
        return isReversed ? told.toReversed() : told;
      },
    };
  }

  #hiddenCount(target: FaultTarget, subject: string, offset: number): number {
    const setting = this.#faults.find("inserted-record", target);
    if (!setting) return 0;
    const insertions = this.#insertions.get(setting) ?? new Map<string, number>();
    this.#insertions.set(setting, insertions);
    const before = insertions.get(subject) ?? 0;
    const count = offset > 0 ? Math.min(pagesWithInsertions, before + 1) : before;
    insertions.set(subject, count);
    const perPage = setting.value ?? defaultFaultValue("inserted-record") ?? 0;
    return (pagesWithInsertions - count) * perPage;
  }
}

/** Ways in which a record of a history page goes wrong. It stays JSON: the page around it is sound. */
const spoils: readonly ((record: string) => string)[] = [
  (record) => record.replace(/"duration_secs":\d+/, '"duration_secs":"long"'),
  (record) => record.replace(/"zone_id":\d+,/, ""),
  (record) => record.replace(/,?"play_start":"[^"]*"/, ""),
  (record) => record.replace(/"(song|asset)_id":\d+,/, ""),
  (record) => record.replace(/("play_start":"[\d-]+T[\d:]+)[+-][\d:]+"/, '$1"'),
  () => "null",
  () => '"upstream connect error"',
];

/** Spoils this share of records, the same ones in the same way whenever they are asked for. */
function spoilRecords(records: readonly string[], share: number): string[] {
  return records.map((record) => {
    const random = new Random("bad records", record);
    return random.chance(share) ? random.pick(spoils)(record) : record;
  });
}
