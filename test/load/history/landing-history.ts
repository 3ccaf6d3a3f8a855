import { gzipSync } from "node:zlib";
import { changeLine, type LineShape, type Random, randomLines } from "./random-lines.ts";
import type { KnownLine } from "./reference-model.ts";

const shape: LineShape = { zones: 4, days: 5, badShare: 0.03, isContradictory: true };

/** A history requested repeatedly: mostly the same lines. */
export class LandingHistory {
  readonly #random: Random;
  #removed: KnownLine[] = [];
  lines: KnownLine[];

  constructor(random: Random, count: number) {
    this.#random = random;
    this.lines = randomLines(random, count, shape);
  }

  /** Changes before the next request. */
  change(): void {
    const random = this.#random;
    const change = random.pick([
      () => {},
      () => this.#insert(randomLines(random, random.pick([1, 1, 5, 60]), shape)),
      () => this.#insert(randomLines(random, 3, { ...shape, badShare: 1 })),
      () => this.#remove(random.pick([1, 5, 40])),
      () => this.#insert(this.#removed.splice(0)),
      () => this.#changeSome(random.pick([1, 1, 3, 20])),
      () => this.#repeat(),
      () => this.#turn(),
      () => this.#moveRejects(),
    ]);
    change();
    if (random.next() < 0.05) this.lines = random.shuffle(this.lines);
  }

  #insert(lines: readonly KnownLine[]): void {
    this.lines.splice(this.#random.below(this.lines.length + 1), 0, ...lines);
  }

  #remove(count: number): void {
    this.#removed.push(...this.lines.splice(this.#random.below(this.lines.length + 1), count));
  }

  #changeSome(count: number): void {
    for (let changed = 0; changed < count && this.lines.length > 0; changed += 1) {
      const index = this.#random.below(this.lines.length);
      const line = this.lines[index];
      if (!line) continue;
      const next = changeLine(this.#random, line);
      // Replaces the line, or adds one after it.
      if (this.#random.next() < 0.7) this.lines[index] = next;
      else this.#insert([next]);
    }
  }

  /** Repeats a line or a block. */
  #repeat(): void {
    const from = this.#random.below(this.lines.length + 1);
    this.#insert(this.lines.slice(from, from + this.#random.pick([1, 1, 3, 50])));
  }

  /** Moves the last part to the front. */
  #turn(): void {
    const at = this.#random.below(this.lines.length + 1);
    this.lines = [...this.lines.slice(at), ...this.lines.slice(0, at)];
  }

  #moveRejects(): void {
    const rejects = this.lines.filter((line) => "reason" in line);
    this.lines = this.lines.filter((line) => !("reason" in line));
    for (const reject of rejects) this.#insert([reject]);
  }
}

/** The bytes of a file: the same lines, with varying bytes between them. */
export function writeFileBytes(random: Random, lines: readonly KnownLine[], lineEnd: string): Buffer {
  let text = lines.map((line) => line.text + lineEnd).join("");
  if (lines.at(-1)?.text && random.next() < 0.2) text = text.slice(0, -lineEnd.length);
  if (lines.length > 0 && random.next() < 0.1) text = `\uFEFF${text}`;
  return random.next() < 0.1 ? gzipSync(text) : Buffer.from(text);
}

/** The lines as judged in a landing requested at an instant: lines too far in the future are rejects. */
export function judgedAt(requestedAt: Date, lines: readonly KnownLine[]): KnownLine[] {
  const latest = requestedAt.getTime() / 1000 + 24 * 3600;
  return lines.map((line) =>
    "record" in line && line.record.playedAt > latest
      ? { text: line.text, reason: "timestamp_out_of_range" }
      : line,
  );
}
