-- Shares: what the tokens of `venue serve token add` let other people see. Instants are ISO 8601 text in UTC.
create table share (
    name text primary key,
    token_sha256 text not null unique, -- in hexadecimal; the token itself is not stored
    campaigns text, -- JSON list of campaign keys; null: every campaign that the attributes select
    attributes text not null, -- JSON list of attributes of campaigns, each with a name and the accepted values
    views text not null, -- JSON list of reports and `proof`
    created_at text not null,
    expires_on text -- last date in UTC on which the token is valid; null: no end
) strict;
