-- Takes pieces as they were cut; the parameter is a JSON array of some of them.
-- Reads: nothing
-- Makes: temp.cut_piece
insert into temp.cut_piece
select unnest(
    from_json(
        cast(? as varchar),
        '[{"place": "integer", "load_id": "bigint", "digest": "varchar", "bytes": "bigint", "lines": "bigint",
           "blank": "bigint", "is_known": "boolean"}]'
    ),
    recursive := true
)
