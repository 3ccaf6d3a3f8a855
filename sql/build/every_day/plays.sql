-- Every day that has plays, or had plays when it was last built or published.
select kind, date from core.play
union
select kind, date from core.published_day
union
select kind, date from core.unpublished_day
