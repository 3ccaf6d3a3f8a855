import { join } from "node:path";
import { dateOf } from "../history/history.mjs";
import { measureVenue } from "../measure/venue.mjs";
import { builtFolder } from "./build-cases.mjs";
import { addListings } from "./listings.mjs";

const tabular = ["csv", "html"];
const formats = ["table", "csv", "json", "md", "html", "arrow", "parquet"];

/** Reports over the default period, or over the whole history where noted. */
function reportsOf(history) {
  const all = ["--from", dateOf(history, 0), "--to", dateOf(history, history.days - 1)];
  return [
    [["plays"], tabular],
    [["plays", "--by", "date"], formats],
    [["plays", "--by", "item", "--top", "20", ...all], tabular],
    [["plays", "--by", "zone,date"], tabular],
    [["plays", "--by", "zone,date", ...all], tabular],
    [["plays", "--by", "group,week"], tabular],
    [["plays", "--by", "region"], tabular],
    [["compliance", "--by", "region"], tabular],
    [["compliance", "--by", "campaign"], tabular],
    [["compliance", "--by", "zone,date"], tabular],
    [["uptime", "--by", "zone"], tabular],
    [["outages"], tabular],
    [["silences"], tabular],
    [["devices"], tabular],
    [["quality"], tabular],
  ].flatMap(([words, forms]) => forms.map((form) => ["report", ...words, "--format", form]));
}

/** One round of all reports, and an export of half of all plays, with names, to files. */
export async function measureReports({ folder, history, figures, say }) {
  const data = builtFolder(folder);
  const listed = addListings(data).catch((error) => error);
  const venue = async (words) => {
    const failure = await listed;
    if (failure) throw failure;
    return await measureVenue(folder, data, words);
  };
  for (const words of reportsOf(history)) {
    const what = words.join(" ");
    say(what);
    await figures.take(what, async () => {
      const sample = await venue(words);
      if (what.endsWith(" csv") && sample.stdout.trim().split("\n").length < 2)
        throw new Error("the report is empty");
      return sample;
    });
  }
  const rows = `select p.*, z.zone_name, i.item_name from fact_play p join dim_zone z using (zone_id)
    join dim_item i using (item_key) limit ${Math.round(history.plays / 2)}`;
  for (const form of ["arrow", "parquet"]) {
    const what = `query, half of all plays as ${form}`;
    say(what);
    await figures.take(what, () =>
      venue(["query", rows, "--format", form, "--out", join(folder, `rows.${form}`)]),
    );
  }
}

export function isReport(what) {
  return what.startsWith("report ");
}
