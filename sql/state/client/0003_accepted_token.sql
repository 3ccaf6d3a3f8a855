-- A token that was refused after it had been accepted is renewed; one that never was accepted tells of more.

alter table token add column accepted_generation integer not null default 0; -- the newest that the service accepted
