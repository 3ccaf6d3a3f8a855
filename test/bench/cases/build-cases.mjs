import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { measureVenue } from "../measure/venue.mjs";
import { loadedFolder } from "./load-cases.mjs";

/** One round: a full build and publish, then one more day, then a line from two months back. */
export async function measureBuilds({ folder, files, figures, say }) {
  const data = builtFolder(folder);
  const elsewhere = join(folder, "elsewhere");
  const venue = (...words) => measureVenue(folder, data, words);
  const load = (file) => files.with(file, (path) => venue("load", path, "--kind", "music"));
  const copy = () => {
    rmSync(data, { recursive: true, force: true });
    cpSync(loadedFolder(folder, "first load, by time"), data, { recursive: true });
  };
  for (const [what, words, prepare] of [
    ["build and publish, all", ["build"], copy],
    ["publish --to another folder", ["publish", "--to", elsewhere]],
    ["build, after one more day", ["build"], () => load("by time, one more day")],
    ["build, after a line of two months back", ["build"], () => load("late line")],
  ]) {
    say(what);
    await figures.take(what, async () => {
      await prepare?.();
      return await venue(...words);
    });
  }
  rmSync(elsewhere, { recursive: true, force: true });
}

export function builtFolder(folder) {
  return join(folder, "built");
}
