select
    p.load_id as "loadId",
    count(*) as rejected
from part as p
inner join core.reject as r on r.load_id = p.load_id
group by p.load_id
