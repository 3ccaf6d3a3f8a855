-- Pieces of landings: whole lines that a load knows again by their hash, so that it need not read them.

drop table core.day_fingerprint;

-- The newest of those that show the play; null: none of them is, or was, in the ledger. Plays from before there were
-- pieces have none until a landing shows them again.
alter table core.play add column piece_id bigint;

create sequence core.piece_id start 1;

-- The ledger of pieces. What it says of one holds while it is there: as soon as another landing changes a play of it, or
-- another piece shows the play, it leaves.
create table core.piece (
    piece_id bigint not null,
    kind varchar not null,
    sha256 varchar not null, -- one piece per kind and hash
    bytes bigint not null,
    lines bigint not null, -- lines = records + repeats + rejected + blank
    blank bigint not null,
    rejected bigint not null,
    records bigint not null, -- different plays, without those that a linked piece shows
    repeats bigint not null, -- lines that repeat one of these, or one of a linked piece
    zero_second bigint not null, -- of the records
    last_played_at timestamp, -- no record began later
    ahead_at timestamp, -- the first instant that lay ahead, so that its line was rejected
    read_by varchar not null -- by which rules it was read
);

-- What is said of a piece holds only beside another one, which shows plays that it repeats, or contradicts.
create table core.piece_link (
    piece_id bigint not null,
    shown_by bigint not null
);

-- Lines of pieces that are no records.
create table core.piece_reject (
    piece_id bigint not null,
    line_number bigint not null, -- of the piece, from 1
    reason varchar not null,
    line varchar not null -- its first 1,000 characters
);
