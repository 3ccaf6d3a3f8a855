-- Which incidents a message is about, so that what nobody was told is announced again, and a waiting message about an
-- incident that is over is withdrawn.

-- JSON: an array of the incidents announced as new or open, each with rule, subject and change.
alter table message add column mentions text not null default '[]';

-- 1 if an attempt failed in a way that leaves open whether the message arrived.
alter table message add column may_have_arrived integer not null default 0;
