-- All rows: none refers to a campaign.

select t.*
from whole.dim_kind as t
