-- How many requests a run sent to the status API, for the next plan; until now it was read out of what the run printed.

alter table run add column status_requests integer; -- null: the run did not collect, or did not come to its end

update run set status_requests = coalesce(summary ->> '$.status_requests', summary ->> '$.sync.status_requests')
where json_valid(summary);
