-- When zones reach the UNTIL of rules follows from the days on which their clocks change (mart.fact_clock_change).
drop table core.zone_until;
drop table core.former_zone_until;
