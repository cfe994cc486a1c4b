-- Which cards are banned nowhere?
SELECT name FROM cards WHERE uuid NOT IN (SELECT uuid FROM legalities WHERE status = 'Banned')
