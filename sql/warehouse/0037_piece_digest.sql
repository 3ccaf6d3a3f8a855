-- Pieces are known by a digest that is made with a key of this warehouse. Those that were known by SHA-256 are read once
-- more.
delete from core.piece_link;
delete from core.piece_reject;
delete from core.piece;
alter table core.piece rename column sha256 to digest;

create table core.piece_key (
    key varchar not null -- one row: 16 random bytes, as hexadecimal digits
);
insert into core.piece_key select replace(cast(uuid() as varchar), '-', '');
