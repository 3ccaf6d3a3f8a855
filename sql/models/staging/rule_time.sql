-- One row per set of times of day in rules, and time in the set. A set's code has 15 digits per run of evenly
-- spaced times: five each for the first time, the interval in seconds, and the number of times.
--
-- Grain: time_set, due_secs
-- Reads: mart.fact_rule_date
-- Built: view
-- Without views: whole
-- Columns:
--   time_set   Code of the set.
--   due_secs   Time of an occurrence, in seconds since midnight by the zone's clock.

with digit as (
    select n
    from (values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) as d (n)
),

-- Numbers up to 1,999 are enough, because a day has at most one time per minute.
number as (
    select thousands.n * 1000 + hundreds.n * 100 + tens.n * 10 + ones.n as n
    from (values (0), (1)) as thousands (n)
    cross join digit as hundreds
    cross join digit as tens
    cross join digit as ones
),

time_set as (
    select distinct time_set
    from mart.fact_rule_date
    where time_set is not null
),

run as (
    select
        s.time_set,
        cast(substr(s.time_set, n.n * 15 + 1, 5) as bigint) as first_secs,
        cast(substr(s.time_set, n.n * 15 + 6, 5) as bigint) as step_secs,
        cast(substr(s.time_set, n.n * 15 + 11, 5) as bigint) as times
    from time_set as s
    inner join number as n on n.n * 15 < length(s.time_set)
)

select
    r.time_set,
    r.first_secs + n.n * r.step_secs as due_secs
from run as r
inner join number as n on n.n < r.times
