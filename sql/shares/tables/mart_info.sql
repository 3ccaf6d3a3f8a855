-- All rows: none refers to a campaign.

select t.*
from whole.mart_info as t
