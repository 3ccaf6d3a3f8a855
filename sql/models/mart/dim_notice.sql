-- One row per notice of the service: an incident, a maintenance or an announcement, as last seen.
--
-- Grain: notice_id
-- Reads: core.notice
-- Built: whole
-- Columns:
--   notice_id   The service's number of the notice.
--   type        general, planned or unplanned.
--   state       Of an unplanned one investigating, identified, recovering, resolved or false_alarm; of a planned one
--               scheduled, underway, complete or cancelled; null of a general one.
--   subject     What it says.
--   url         Its page.
--   began_at    Instant at which it began, in UTC; null where it has not, and of general ones.
--   ended_at    Instant at which it ended, in UTC; null while it lasts.

select
    notice_id,
    type,
    state,
    subject,
    url,
    began_at,
    ended_at
from core.notice
