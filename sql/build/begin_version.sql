-- A version that was built but never published gives way to the one that is built now.
delete from core.restatement
where version not in (select version from core.version where published_at is not null);

delete from core.version
where published_at is null;
