-- What notifications found out and what they still have to send. Instants are ISO 8601 text in UTC.

-- Problems that a rule of notify.csv reports: one row from the beginning of each until its end was announced.
create table incident (
    rule text not null,
    definition text not null, -- the rule's view and condition; after a change, its incidents begin again
    subject text not null, -- JSON of what it concerns, e.g. a campaign and a zone; '' for a rule that always sends
    label text not null, -- the subject for readers
    opened_at text not null,
    announced_at text, -- of the last message about it; null: none yet
    closed_at text, -- null: it goes on
    closed_because text,
    primary key (rule, subject)
) strict;

-- Outbox: digests to deliver, each to one recipient.
create table message (
    message_id text primary key, -- also the Message-ID of mail and the idempotency key of webhooks
    recipient text not null, -- mailto:ADDRESS or webhook:NAME
    content text, -- JSON of the digest and its attachments; null once it is no longer needed
    created_at text not null,
    attempts integer not null default 0,
    next_attempt_at text not null,
    status text not null default 'waiting' check (status in ('waiting', 'sent', 'undelivered')),
    ended_at text, -- when it was sent or given up
    problem text -- why the last attempt failed
) strict;

create index message_waiting on message (status, next_attempt_at);
