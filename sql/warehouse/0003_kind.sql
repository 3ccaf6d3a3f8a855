-- The kind of a play as a number with a name: text takes a tenth of the time of a first load to store. The type has
-- no name of its own: DuckDB can't replay one from its log in a schema other than main.
alter table core.play alter kind type enum ('messaging', 'music', 'signage');
