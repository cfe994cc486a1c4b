-- sqlglot 30.30.0, from duckdb to sqlite

-- DuckDB 2.0.0
CREATE TABLE customer(id INTEGER PRIMARY KEY, "name" VARCHAR NOT NULL, city VARCHAR, vip BOOLEAN, boss INTEGER, FOREIGN KEY (boss) REFERENCES customer(id));
CREATE TABLE shop(id INTEGER PRIMARY KEY, code VARCHAR NOT NULL UNIQUE, city VARCHAR, open INTEGER, CHECK((open >= 0)));
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, shop_id INTEGER, "day" DATE, total INTEGER, rate DOUBLE, note VARCHAR, FOREIGN KEY (customer_id) REFERENCES customer(id), FOREIGN KEY (shop_id) REFERENCES shop(id));
INSERT INTO "customer" ("id", "name") VALUES (0, 'a');
INSERT INTO "orders" ("id", "customer_id", "rate") VALUES (0, 0, -0.875);

-- returns: 1 rows
--   (0)
SELECT id FROM orders WHERE CAST(rate AS INTEGER);

-- SQLite 3.40.1
CREATE TABLE "customer" ("id" INTEGER NOT NULL, "name" TEXT NOT NULL, "city" TEXT, "vip" BOOLEAN, "boss" INTEGER, PRIMARY KEY ("id"));
CREATE TABLE "orders" ("id" INTEGER NOT NULL, "customer_id" INTEGER NOT NULL, "shop_id" INTEGER, "day" DATE TEXT, "total" INTEGER, "rate" REAL, "note" TEXT, PRIMARY KEY ("id"));
INSERT INTO customer (id, name) VALUES (0, 'a');
INSERT INTO orders (id, customer_id, rate) VALUES (0, 0, -0.875);

-- returns: 0 rows
SELECT id FROM orders WHERE CAST(rate AS INTEGER);
