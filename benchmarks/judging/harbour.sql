CREATE TABLE ship (
    ship_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, country TEXT, weight REAL, launched TEXT
);
CREATE TABLE voyage (
    voyage_id INTEGER PRIMARY KEY, ship_id INTEGER NOT NULL REFERENCES ship (ship_id), port TEXT, days INTEGER
);
INSERT INTO ship VALUES (1, 'Ada', 'Norway', 120.5, '1999-04-01'), (2, 'Bella', 'Norway', 300, '2004-09-12'),
    (3, 'Cora', 'Chile', 300, '2011-01-30'),
    (4, 'Dora', NULL, 80, '2011-06-06');
INSERT INTO voyage VALUES (1, 1, 'Kiel', 4), (2, 1, 'Kiel', 9), (3, 2, 'Oslo', 6), (4, 3, 'Kiel', 6),
    (5, 3, 'Lima', 30);
