-- Lines of known dates are sound; of the others those that pass the test.
select
    (select coalesce(sum(lines), 0) from seen_day where is_known)
    + (select count(*) from typed_line('changed_text') where is_sound) as sound
