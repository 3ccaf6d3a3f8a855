select coalesce(bool_and(coalesce(day between getvariable('kept_from') and getvariable('kept_to'), false)), true)
    as "isAllKept"
from seen_day
where not is_known and zone_id is not null and day is not null
