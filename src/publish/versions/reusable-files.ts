import { copyFileSync, linkSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ManifestFile, manifestName } from "../../mart/manifest.ts";
import { type MonthPart, parseFirstDay } from "../files/parquet-file.ts";
import { isIntact } from "../version-files.ts";

/**
 * Hard-links the files of one table, partitioned by month, from the previous version if their days did not
 * change.
 */
export class ReusableFiles {
  readonly #folder: string;
  readonly #versionFolder: string;
  readonly #files: readonly ManifestFile[];
  /** Local dates (`YYYY-MM-DD`). */
  readonly #changedDates: readonly string[];

  constructor(options: {
    /** Folder of the previous version. */
    folder: string;
    versionFolder: string;
    files: readonly ManifestFile[];
    changedDates: readonly string[];
  }) {
    this.#folder = options.folder;
    this.#versionFolder = options.versionFolder;
    this.#files = options.files.filter(({ rows }) => rows > 0);
    this.#changedDates = options.changedDates;
  }

  /** Links the files of unchanged months. `changedMonths`, sorted, are those with different or damaged files. */
  async linkUnchanged(): Promise<{ linked: ManifestFile[]; changedMonths: string[] }> {
    const changedMonths = new Set(this.#changedDates.map((date) => date.slice(0, "YYYY-MM".length)));
    const unchanged = new Map<string, ManifestFile[]>();
    for (const file of this.#files) {
      const month = parseMonth(file);
      if (month === undefined || changedMonths.has(month)) continue;
      unchanged.set(month, [...(unchanged.get(month) ?? []), file]);
    }
    const linked: ManifestFile[] = [];
    for (const [month, files] of unchanged) {
      if (await this.#areIntact(files)) linked.push(...files.map((file) => this.#link(file)));
      else changedMonths.add(month);
    }
    return { linked, changedMonths: [...changedMonths].sort() };
  }

  /**
   * Links the files of a month that end before its first changed day, up to the first damaged one. Later days
   * do not move the boundaries between earlier files.
   * @returns `next`: the day (`YYYY-MM-DD`) from which to split the month again
   */
  async linkBefore(month: string): Promise<{ linked: ManifestFile[]; next: string }> {
    const firstChanged = this.#changedDates.filter((date) => date.startsWith(month)).sort()[0];
    const files = this.#files
      .filter((file) => parseMonth(file) === month)
      .map((file) => ({ file, from: parseFirstDay(file.path) ?? "" }))
      .sort((a, b) => (a.from < b.from ? -1 : 1));
    const linked: ManifestFile[] = [];
    let next = `${month}-01`;
    for (const [index, { file }] of files.entries()) {
      const following = files[index + 1]?.from;
      const isBefore = following !== undefined && (firstChanged === undefined || following <= firstChanged);
      if (!isBefore || !(await this.#areIntact([file]))) break;
      linked.push(this.#link(file));
      next = following;
    }
    return { linked, next };
  }

  /** Links the file for some days of a month if it holds exactly these days, and none of them changed. */
  async linkPart(path: string, { from, to, rows }: MonthPart): Promise<ManifestFile | undefined> {
    const file = this.#files.find((one) => one.path === path);
    if (file?.rows !== rows || this.#changedDates.some((date) => date >= from && date <= to))
      return undefined;
    const isWithin = (file.min_date ?? "") >= from && (file.max_date ?? "9999") <= to;
    return isWithin && (await this.#areIntact([file])) ? this.#link(file) : undefined;
  }

  /** Returns true if files are intact, so that damaged ones are not linked from version to version. */
  async #areIntact(files: readonly ManifestFile[]): Promise<boolean> {
    for (const { path, bytes, sha256 } of files) {
      const expected = { bytes, sha256, manifestPath: join(this.#folder, manifestName) };
      if (!(await isIntact(join(this.#folder, path), expected))) return false;
    }
    return true;
  }

  #link(file: ManifestFile): ManifestFile {
    const target = join(this.#versionFolder, file.path);
    mkdirSync(dirname(target), { recursive: true });
    try {
      linkSync(join(this.#folder, file.path), target);
    } catch {
      // Some file systems have no hard links.
      copyFileSync(join(this.#folder, file.path), target);
    }
    return file;
  }
}

/** Returns a file's month, `YYYY-MM`. */
function parseMonth({ path }: ManifestFile): string | undefined {
  return parseFirstDay(path)?.slice(0, "YYYY-MM".length);
}
