-- Incidents found by notification rules, and the messages about them. Instants are ISO 8601 text in UTC.

-- One row per problem that a rule in notify.csv reports. It is kept until the end of the problem is announced.
create table incident (
    rule text not null,
    definition text not null, -- the rule's view and condition; if it changes, the rule's incidents start over
    subject text not null, -- JSON key, e.g. of a campaign and a zone; '' for a rule that always sends
    label text not null, -- the subject as shown to readers
    opened_at text not null,
    announced_at text, -- when the last message about it was queued; null: not announced yet
    closed_at text, -- null: ongoing
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
    ended_at text, -- when it was sent or abandoned
    problem text -- why the last attempt failed
) strict;

create index message_waiting on message (status, next_attempt_at);
