select
    (select coalesce(sum(zero_second), 0) from loaded_day)
    + (select coalesce(sum(zero_second), 0) from known_day) as "zeroSecond"
