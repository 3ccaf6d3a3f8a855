-- Records the published values of the days that changed in this version.
delete from core.published_day
where exists (
    select 1
    from core.unpublished_day as u
    where u.kind = published_day.kind and u.date = published_day.date
);

insert into core.published_day (kind, date, plays, play_seconds)
select
    f.kind,
    f.date,
    cast(sum(f.plays) as bigint) as plays,
    cast(sum(f.play_seconds) as bigint) as play_seconds
from mart.fact_play_zone_day as f
inner join core.unpublished_day as u on u.kind = f.kind and u.date = f.date
group by f.kind, f.date;

delete from core.unpublished_day;

delete from core.unpublished_campaign_day;

delete from core.unpublished_device_day;

delete from core.published_cell;
