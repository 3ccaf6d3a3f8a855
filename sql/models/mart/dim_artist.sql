-- One row per artist of a song that played.
--
-- Grain: artist_id
-- Reads: mart.fact_play_item_day, staging.name_newest
-- Built: whole
-- Columns:
--   artist_id     Artist id (id): The service's number for the artist.
--   artist_name   Artist (text): Latest name of the artist; Artist 123 if it has none.

with artist as (
    select distinct artist_id
    from mart.fact_play_item_day
    where artist_id is not null
),

artist_name as (
    select
        id as artist_id,
        name
    from staging.name_newest
    where subject = 'artist'
)

select
    a.artist_id,
    coalesce(n.name, 'Artist ' || cast(a.artist_id as varchar)) as artist_name
from artist as a
left join artist_name as n on n.artist_id = a.artist_id
