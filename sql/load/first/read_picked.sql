-- What the picked lines name.
create or replace temp table picked as
from picked_text
