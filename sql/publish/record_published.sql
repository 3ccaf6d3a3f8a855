-- What the version that readers see from now on says of the days that changed with it.
delete from core.published_day as p
using core.unpublished_day as u
where u.kind = p.kind and u.date = p.date;

insert into core.published_day (kind, date, plays, play_seconds)
select
    f.kind,
    f.date,
    sum(f.plays)::bigint,
    sum(f.play_seconds)::bigint
from mart.fact_play_zone_day as f
semi join core.unpublished_day as u on u.kind = f.kind and u.date = f.date
group by f.kind, f.date;

delete from core.unpublished_day;

delete from core.unpublished_campaign_day;

delete from core.unpublished_device_day;

delete from core.published_cell;
