-- Which borderless rares and mythics of middling cost were ever banned, and in which set do they stand?
SELECT DISTINCT c.uuid, s.name AS set_name
FROM cards AS c
INNER JOIN sets AS s ON c.setCode = s.code
WHERE c.rarity IN ('mythic', 'rare')
  AND c.convertedManaCost BETWEEN 2 AND 5
  AND NOT c.borderColor <> 'borderless'
  AND c.uuid IN (SELECT DISTINCT l.uuid FROM legalities AS l WHERE l.status = 'Banned')
