-- Until now one refused history or listing was enough for a zone to count as gone, although others still worked: such zones are
-- requested again. One that is gone is refused all of its histories, and marked again.

delete from gone_zone;
