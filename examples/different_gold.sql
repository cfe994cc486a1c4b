SELECT c.name
FROM cards AS c
WHERE NOT EXISTS (SELECT 1 FROM legalities AS l WHERE l.uuid = c.uuid AND l.status = 'Banned')
