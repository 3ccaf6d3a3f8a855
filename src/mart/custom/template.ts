import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../util/files/package-files.ts";
import { units } from "../column-definition.ts";
import { type CustomKind, customError, customFilePath, listCustomFiles } from "./custom-file.ts";

const exampleFolder = join(packageRoot, "data", "examples", "own");

/** Returns a shipped example. @throws {VenueError} `OWN_FILE` if there is none of this name */
export function readCustomExample(kind: CustomKind, name: string): string {
  const names = listCustomFiles(exampleFolder, kind).map((file) => file.name);
  if (names.includes(name)) return readFileSync(customFilePath(exampleFolder, kind, name), "utf8");
  throw customError(
    `${JSON.stringify(name)} is not an example of ${kind}. The examples are ${names.join(", ")}.`,
  );
}

/** Returns a commented example that runs on any published version. @param title for readers */
export function customTemplate(kind: CustomKind, title: string): string {
  return kind === "reports" ? reportTemplate.replace("TITLE", () => title) : checkTemplate;
}

const reportTemplate = `-- Plays and zones with plays on each day.
--
-- Title: TITLE
-- Headline: {sum:plays} plays on {count} days.
-- Columns:
--   plays_per_zone   Plays per zone (number): Plays ÷ zones with plays.
-- Links:
--   plays            plays?by=zone&from={date}&to={date}

-- The lines above describe the report: its summary, its title, the headline of its page, columns of your own (name,
-- label, unit, meaning), and links from columns to other reports. Headlines take {count} for the number of rows, and
-- {sum:plays}, {min:date} and {max:date} for a column. A line "Chart: ranking plays by item_name" adds a chart. Columns with known names, such as zone_name and plays, need no line.
-- Units: ${units.slice(0, 12).join(", ")},
--   ${units.slice(12).join(", ")}.
--
-- Join these to take options: without one, the report does not take its options.
--   period            dates of --from and --to: date, week, month, quarter
--   chosen_zone       zones of --zone, --location, --group and --where
--   chosen_zone_day   the same by date of the period: attributes count on the days on which they are valid
--   chosen_campaign   campaigns of --campaign, --kind and --where
--
-- All other tables, such as dim_zone_attribute with your attributes, are in published/current/dictionary.html.

with played as (
    select
        z.date,
        cast(sum(f.plays) as bigint) as plays,
        count(distinct f.zone_id) as zones
    from fact_play_day as f
    inner join chosen_zone_day as z on z.zone_id = f.zone_id and z.date = f.date
    group by z.date
)

select
    date,
    plays,
    zones,
    round(cast(plays as double) / zones, 1) as plays_per_zone
from played
order by date
`;

const checkTemplate = `-- Each zone that ever played has played in the last 7 days of the data.
-- Severity: warn

-- The lines above state what should hold, and what happens if it does not: warn reports the rows, error also stops the
-- publish. The select returns the failures. It may read every table in published/current/dictionary.html.

select
    z.zone_id,
    z.zone_name,
    z.last_play_date
from dim_zone as z
cross join mart_info as i
where z.last_play_date < cast(i.data_as_of - interval '7' day as date)
order by z.last_play_date
`;
