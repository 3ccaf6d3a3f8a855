-- Stored notices lack their announced end: the next sync requests all of them again.

delete from status_notice;
