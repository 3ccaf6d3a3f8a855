-- Incidents by recipient, linked to the message that mentions them. Those of earlier versions start over.
drop table incident;

-- One row per problem that a rule in notify.csv reports to a recipient. It is kept until its end is sent.
create table incident (
    rule text not null,
    definition text not null, -- the rule's view and condition; if it changes, the rule's incidents start over
    recipient text not null,
    entity text not null, -- JSON key, e.g. of a campaign and a zone; '' for a rule that always sends
    label text not null, -- the entity as shown to readers
    opened_at text not null,
    announced_at text, -- when the last message about it was written; null: none has been sent
    closed_at text, -- null: ongoing
    message_id text, -- the waiting message that mentions it
    change text check (change in ('new', 'open', 'over')), -- what that message reports
    primary key (rule, recipient, entity)
) strict;

-- A message that has not arrived is written again by each run.
alter table message add column written_at text not null default '';
update message
set
    written_at = created_at,
    content = json_extract(content, '$.digest');
alter table message drop column mentions;
