-- A play is recognized by the hash of its line. This replaces the ledger of pieces, which depended on the order of lines.

-- Hash of a line whose values are exactly the play's; null if no such line is known.
alter table core.play add column line_hash ubigint;

alter table core.play drop column piece_id;

drop table core.piece_link;

drop table core.piece_reject;

drop table core.piece_key;

drop table core.piece;

drop sequence core.piece_id;
