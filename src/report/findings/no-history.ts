import type { PublishedMart } from "../published/published-mart.ts";

/** Says so where no history was loaded: that nothing played would be a guess. */
export async function sayNoHistory(mart: PublishedMart): Promise<string | undefined> {
  const [known] = await mart.all<{ loads: number; played: number }>(
    "select (select count(*) from fact_load) as loads, (select count(last_play_date) from dim_zone) as played",
  );
  return known?.loads === 0 && known.played === 0
    ? "No history has been loaded yet: `venue run` collects it, `venue load` takes it from files."
    : undefined;
}
