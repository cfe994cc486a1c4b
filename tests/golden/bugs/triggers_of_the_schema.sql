# A witness is made by the user's own triggers, too, which refuse its rows, change them, pass over them and add others.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER NOT NULL, y TEXT);
CREATE TABLE log (id INTEGER PRIMARY KEY, seen INTEGER);
CREATE TRIGGER refuse BEFORE INSERT ON t WHEN NEW.x < 0 BEGIN SELECT RAISE(ABORT, 'negative; x'); END;
CREATE TRIGGER note AFTER INSERT ON t BEGIN INSERT INTO log (seen) VALUES (NEW.x); END;
CREATE TRIGGER change AFTER INSERT ON t WHEN NEW.y IS NULL BEGIN UPDATE t SET y = 'none' WHERE id = NEW.id; END;
CREATE TRIGGER gone AFTER DELETE ON t BEGIN INSERT INTO log (seen) VALUES (OLD.x); END;
CREATE TRIGGER broken AFTER INSERT ON log BEGIN INSERT INTO nowhere VALUES (1); END;

decide
SELECT id FROM t WHERE x >= 0
----
SELECT id FROM t
----
undecided

decide
SELECT id FROM t WHERE y IS NOT NULL
----
SELECT id FROM t
----
undecided

decide
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM log)
----
SELECT id FROM t
----
undecided

# What they leave open is still found, and proved.
decide
SELECT id FROM t WHERE x > 0
----
SELECT id FROM t
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE NOT x > 0
----
SELECT id FROM t WHERE x <= 0
----
equivalent

schema
CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER NOT NULL);
CREATE TRIGGER pass BEFORE INSERT ON t WHEN NEW.x = 3 BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER undo AFTER INSERT ON t WHEN NEW.x = 4 BEGIN SELECT RAISE(ROLLBACK, 'four'); END

decide
SELECT id FROM t WHERE x = 3
----
SELECT id FROM t WHERE 0
----
undecided

decide
SELECT id FROM t WHERE x = 4
----
SELECT id FROM t WHERE 0
----
undecided

decide
SELECT id FROM t WHERE x = 5
----
SELECT id FROM t WHERE 0
----
not_equivalent by=generate
