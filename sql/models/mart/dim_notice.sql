-- One row per notice of the service: an incident, a maintenance or an announcement, as last seen.
--
-- Grain: notice_id
-- Reads: core.notice
-- Built: whole
-- Columns:
--   notice_id   Notice id (id): The service's number of the notice.
--   type        Type (text): general, planned or unplanned.
--   state       State (text): How far it has come; null of a general one. Note: Of an unplanned one investigating,
--               identified, recovering, resolved or false_alarm; of a planned one scheduled, underway, complete or
--               cancelled.
--   subject     Subject (text): What it says.
--   url         Address (text): Its page.
--   began_at    Began (instant): Instant at which it began, in UTC; null where it has not, and of general ones.
--   ended_at    Ended (instant): Instant at which it ended, in UTC; null while it lasts. Note: Of one that is complete or
--               resolved, but has no end, when that was said.

select
    notice_id,
    type,
    state,
    subject,
    url,
    began_at,
    coalesce(ended_at, case when state in ('complete', 'resolved') then updated_at end) as ended_at
from core.notice
