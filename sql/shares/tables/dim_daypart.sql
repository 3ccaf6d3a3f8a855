-- All rows: none refers to a campaign.

select t.*
from whole.dim_daypart as t
