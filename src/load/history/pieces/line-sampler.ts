import { lineFeed } from "../../lines/line-cursor.ts";

/** Of these all are shown; of those after them one in so many. */
const linesShownFirst = 2000;
const linesPerSample = 500;

/** Shows some of the lines that pass, piece by piece: the first of a landing, and then one in 500. */
export class LineSampler {
  readonly #show: (line: string) => void;
  #lines: number;

  /** @param isBeginning whether lines pass from the landing's first one on */
  constructor(show: (line: string) => void, isBeginning: boolean) {
    this.#show = show;
    this.#lines = isBeginning ? 0 : linesShownFirst;
  }

  /** @param lines how many there are in `bytes` */
  readonly pass = (bytes: Buffer, lines: number): void => {
    const first = this.#lines;
    this.#lines += lines;
    const samplesBefore = Math.floor(first / linesPerSample);
    if (first >= linesShownFirst && Math.floor(this.#lines / linesPerSample) === samplesBefore) return;
    let start = 0;
    for (let number = first + 1; number <= this.#lines; number += 1) {
      const feed = bytes.indexOf(lineFeed, start);
      const end = feed < 0 ? bytes.length : feed;
      if (number <= linesShownFirst || number % linesPerSample === 0)
        this.#show(bytes.toString("utf8", start, end));
      start = end + 1;
    }
  };
}
