-- A service goes by its address without a slash at its end, however it was written in the settings: with one, it was taken
-- for another service. Of a server's root the slash is a part of the address. What is known by both names stays as it is.

update collection set service = rtrim(service, '/') where service like '%://%/%/';

update export_job set service = rtrim(service, '/') where service like '%://%/%/';

update or ignore group_zone set service = rtrim(service, '/') where service like '%://%/%/';

update or ignore gone_zone set service = rtrim(service, '/') where service like '%://%/%/';

update or ignore walk set service = rtrim(service, '/') where service like '%://%/%/';

update or ignore refused_listing set service = rtrim(service, '/') where service like '%://%/%/';

update or ignore status_notice set status_url = rtrim(status_url, '/') where status_url like '%://%/%/';
