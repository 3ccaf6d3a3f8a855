-- Rows of the assets that the share's campaigns refer to.

select t.*
from whole.bridge_item_attribute as t
where t.item_key in (select i.item_key from share.item as i)
