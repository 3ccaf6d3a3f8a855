-- Every run tries the messages that wait, so attempts are no longer counted or timed.
drop index message_waiting;
create index message_waiting on message (status, created_at);
alter table message drop column attempts;
alter table message drop column next_attempt_at;
