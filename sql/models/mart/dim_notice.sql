-- One row per service notice (incident, maintenance or announcement), with its data as last seen.
--
-- Grain: notice_id
-- Reads: staging.notice
-- Built: whole
-- Columns:
--   notice_id   Notice id (id): The service's number for the notice.
--   type        Type (text): general, planned or unplanned.
--   state       State (text): Progress of the notice; null for general ones. Note: Unplanned notices: investigating,
--               identified, recovering, resolved or false_alarm. Planned ones: scheduled, underway, complete or
--               cancelled.
--   subject     Subject (text): Subject line.
--   url         Address (text): Web page of the notice.
--   began_at    Began (instant): Instant at which it began, in UTC; null if it has not begun, and for general ones.
--   ended_at    Ended (instant): Instant at which it ended, in UTC; null while ongoing. Note: If the service reports no
--               end, a planned notice ends at its announced end, or when it was complete if earlier; a resolved one
--               ends when its resolution was reported.

select
    notice_id,
    type,
    state,
    subject,
    url,
    began_at,
    ended_at
from staging.notice
