SELECT T1.uuid, T2.name
FROM sets AS T2, cards AS T1
WHERE T2.code = T1.setCode
  AND (T1.rarity = 'rare' OR T1.rarity = 'mythic')
  AND 2 <= T1.convertedManaCost
  AND T1.convertedManaCost <= 5
  AND T1.borderColor = 'borderless'
  AND T1.uuid IN (SELECT uuid FROM legalities WHERE status = 'Banned')
