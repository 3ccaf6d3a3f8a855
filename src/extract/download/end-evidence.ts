import { isGzip } from "../../util/files/file-content.ts";
import { endsWithWholeLine } from "./file-end.ts";

/** More than are given to one link: the service does write broken lines, but a cut is likelier. */
const answersForBrokenEnd = 5;

/**
 * What answers have said about where a file ends, for a server that does not say by Range that nothing comes after.
 * One answer alone may be cut, with a length that was made up from what was left: it takes two that agree.
 */
export class EndEvidence {
  #size: number | undefined;
  /** Answers that announced this very length. */
  #stated = 0;
  /** Answers that announced none, and ended here. */
  #unstated = 0;

  /** An answer puts the end at `size`; what spoke for another one is void. */
  add(size: number, isStated: boolean): void {
    if (size !== this.#size) this.clear();
    this.#size = size;
    if (isStated) this.#stated += 1;
    else this.#unstated += 1;
  }

  clear(): void {
    this.#size = undefined;
    this.#stated = 0;
    this.#unstated = 0;
  }

  get isEmpty(): boolean {
    return this.#size === undefined;
  }

  /**
   * Whether the file at `path` ends where it does for sure. One that ends within a line takes many answers that announce
   * its length; one without any content, of which nothing was announced, takes a third: failing servers send nothing.
   */
  async isEnough(path: string): Promise<boolean> {
    if (!(await isEndOfLine(path))) return this.#stated >= answersForBrokenEnd;
    return this.#stated >= 2 || this.#stated + this.#unstated >= (this.#size === 0 ? 3 : 2);
  }
}

/** What gzip holds is not lines yet; its checksum tells whether it is whole. */
async function isEndOfLine(path: string): Promise<boolean> {
  return (await isGzip(path)) || (await endsWithWholeLine(path));
}
