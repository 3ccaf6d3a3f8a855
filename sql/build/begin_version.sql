-- Removes versions that were built but never published; the version being built replaces them.
delete from core.restatement
where version not in (select version from core.version where published_at is not null);

delete from core.version
where published_at is null;
