-- Bodies are bytes, not text: each opening looks through all text of the file for what is not UTF-8. They stand last, so that
-- whatever reads the other columns need not pass through them.
delete from kept_answer;

alter table kept_answer drop column body;

alter table kept_answer add column sha256 text not null default ''; -- of the body

alter table kept_answer add column body blob not null default x''; -- UTF-8
