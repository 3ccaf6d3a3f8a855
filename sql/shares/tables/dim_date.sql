-- All rows: none refers to a campaign.

select t.*
from whole.dim_date as t
