-- Plays by the language of the item; for genres, write genre instead of language.
--
-- Title: Plays by language
-- Headline: {sum:plays} plays in {count} languages.
-- Columns:
--   language     Language (text): From the column language of reference/item_attributes.csv; (none) without a value.
--   plays_share  Share of plays (share): Plays ÷ all plays.

with counted as (
    select
        coalesce(a.attribute_value, '(none)') as language,
        cast(sum(f.plays) as bigint) as plays,
        cast(sum(f.play_seconds) as bigint) as play_seconds
    from fact_play_day as f
    inner join chosen_zone_day as z on z.zone_id = f.zone_id and z.date = f.date
    left join bridge_item_attribute as a
        on a.item_key = f.item_key and a.attribute_name = 'language' and f.date between a.valid_from and a.valid_to
    group by coalesce(a.attribute_value, '(none)')
)

select
    language,
    plays,
    play_seconds,
    cast(plays as double) / sum(plays) over () as plays_share
from counted
order by plays desc, language
