-- sqlglot 30.30.0, from duckdb to sqlite

-- DuckDB 2.0.0
CREATE TABLE customer(id INTEGER PRIMARY KEY, "name" VARCHAR NOT NULL, city VARCHAR, vip BOOLEAN, boss INTEGER, FOREIGN KEY (boss) REFERENCES customer(id));
INSERT INTO "customer" ("id", "name", "vip") VALUES (0, 'a', FALSE);

-- returns: 1 rows
--   ('false')
SELECT CAST(vip AS VARCHAR) FROM customer;

-- SQLite 3.40.1
CREATE TABLE "customer" ("id" INTEGER NOT NULL, "name" TEXT NOT NULL, "city" TEXT, "vip" BOOLEAN, "boss" INTEGER, PRIMARY KEY ("id"));
INSERT INTO customer (id, name, vip) VALUES (0, 'a', 0);

-- returns: 1 rows
--   ('0')
SELECT CAST(vip AS TEXT) FROM customer;
