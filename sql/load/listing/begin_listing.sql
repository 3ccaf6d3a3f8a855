create or replace temp table listing_record (
    record varchar not null
)
