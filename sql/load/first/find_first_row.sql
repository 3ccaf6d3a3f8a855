select min(rowid) as first_row
from core.play
where first_load_id = getvariable('load_id')
