-- Takes rules that were expanded: the parameter is JSON.
-- Reads: nothing
-- Makes: temp.expanded_rule
insert into temp.expanded_rule
select *
from rows_of(
    ?,
    '[{"rule_id": "bigint", "rule_error": "varchar", "is_every_day": "boolean", "expanded_from": "date",
       "expanded_to": "date", "expanded_by": "varchar", "until_at": "timestamp",
       "dates": [{"date": "date", "first_secs": "integer", "time_set": "varchar"}]}]'
)
