import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Kind } from "../../../util/kind.ts";
import { formatDayText } from "../../world/history/lines.ts";
import type { Zone } from "../../world/premises/zone.ts";
import type { World } from "../../world/world.ts";

export interface ExportContent {
  kind: Kind;
  groupId: number;
  /** Snapshot instant on the emulator's clock. */
  at: Date;
  badLineRate: number;
}

/**
 * An export's file, regenerated on every read, zone by zone and day by day. Keeps only the length of each
 * zone day, so that a download can start anywhere.
 */
export class ExportFile {
  /** Strong entity tag. */
  readonly etag = `"${randomUUID()}"`;
  readonly #world: World;
  readonly #content: ExportContent;
  readonly #zones: readonly Zone[];
  /** Offset of each zone day's end, in bytes. */
  readonly #ends: Float64Array;

  constructor(world: World, content: ExportContent) {
    this.#world = world;
    this.#content = content;
    this.#zones = world.zonesOfGroup(content.groupId);
    this.#ends = new Float64Array(this.#zones.length * world.plan.days);
  }

  /** Computes the file's size. Must complete before the file is used. Returns false if stopped. */
  async measure(closing: AbortSignal): Promise<boolean> {
    let sizeBytes = 0;
    for (let index = 0; index < this.#ends.length && !closing.aborted; index += 1) {
      sizeBytes += Buffer.byteLength(this.#textOf(index));
      this.#ends[index] = sizeBytes;
      // Lets other requests run in between.
      await setImmediate();
    }
    return !closing.aborted;
  }

  get sizeBytes(): number {
    return this.#ends.at(-1) ?? 0;
  }

  /** @param toByte exclusive */
  async *read(fromByte: number, toByte: number): AsyncGenerator<Buffer> {
    let index = this.#ends.findIndex((end) => end > fromByte);
    for (; index >= 0 && index < this.#ends.length; index += 1) {
      const startByte = this.#ends[index - 1] ?? 0;
      if (startByte >= toByte) return;
      const bytes = Buffer.from(this.#textOf(index));
      yield bytes.subarray(Math.max(0, fromByte - startByte), Math.min(bytes.length, toByte - startByte));
      await setImmediate();
    }
  }

  #textOf(index: number): string {
    const { firstDay, days } = this.#world.plan;
    const zone = this.#zones[Math.floor(index / days)];
    if (!zone) throw new RangeError(`The export has no zone-day ${index}.`);
    const { at, ...content } = this.#content;
    const query = { ...content, zone, day: firstDay + (index % days), atMs: at.getTime() };
    return formatDayText(this.#world.plan, query);
  }
}
