-- One row per notice of the service: an incident, a maintenance or an announcement, as last seen.
--
-- Grain: notice_id
-- Reads: staging.notice
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
--   ended_at    Ended (instant): Instant at which it ended, in UTC; null while it lasts. Note: Without an end from the
--               service: of a planned one when it was announced to end, or when it was complete if that was earlier; of a
--               resolved one when that was reported.

select
    notice_id,
    type,
    state,
    subject,
    url,
    began_at,
    ended_at
from staging.notice
