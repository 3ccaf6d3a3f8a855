-- Listings of zones that the service refused, and when: they wait for their next turn like those that landed.

create table refused_listing (
    service text not null, -- base URL
    source text not null, -- campaigns or assets
    kind text not null,
    zone_id integer not null,
    asked_at text not null, -- in data's time
    primary key (service, source, kind, zone_id)
) strict, without rowid;
