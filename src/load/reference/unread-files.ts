import { readdirSync } from "node:fs";
import { join } from "node:path";
import { findClosestWord } from "../../util/text/words.ts";
import { referenceNames } from "./check-reference.ts";

export interface UnreadFile {
  path: string;
  message: string;
}

/** Lists tables in the reference folder that are not read because of their names. */
export function listUnreadFiles(folder: string): UnreadFile[] {
  const read = referenceNames.flatMap((name) => [name, name.replace(/csv$/, "xlsx")]);
  return listNames(folder)
    .filter((name) => /^[^.~].*\.(?:csv|tsv|xlsx|xlsm|xls|ods|numbers)$/i.test(name) && !read.includes(name))
    .map((name) => {
      const path = join(folder, name);
      const meant = findClosestWord(name, read) ?? "zone_attributes.csv";
      return {
        path,
        message: `${path} is not read. If it is a reference file, give it a name such as ${meant}.`,
      };
    });
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // Without a folder, all files are missing.
    return [];
  }
}
