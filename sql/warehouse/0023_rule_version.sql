-- By which version of the expansion a rule's dates were found; null: before there were versions.
alter table core.campaign_rule add column expanded_by varchar;
