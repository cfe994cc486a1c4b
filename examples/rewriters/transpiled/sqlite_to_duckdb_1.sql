-- sqlglot 30.30.0, from sqlite to duckdb

-- SQLite 3.40.1
CREATE TABLE customer (
  id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, city VARCHAR, vip BOOLEAN,
  boss INTEGER REFERENCES customer (id));
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id),
  shop_id INTEGER REFERENCES shop (id), day DATE, total INTEGER, rate DOUBLE PRECISION, note VARCHAR);
INSERT INTO customer (id, name) VALUES (0, 'A');
INSERT INTO orders (id, customer_id, note) VALUES (0, 0, 'A');

-- returns: 1 rows
--   (0)
SELECT id FROM orders WHERE note LIKE 'a%';

-- DuckDB 2.0.0
CREATE TABLE customer(id BIGINT, "name" VARCHAR NOT NULL, city VARCHAR, vip BOOLEAN, boss BIGINT, PRIMARY KEY(id));
CREATE TABLE orders(id BIGINT, customer_id BIGINT NOT NULL, shop_id BIGINT, "day" DATE, total BIGINT, rate DOUBLE, note VARCHAR, PRIMARY KEY(id));
INSERT INTO "customer" ("id", "name") VALUES (0, 'A');
INSERT INTO "orders" ("id", "customer_id", "note") VALUES (0, 0, 'A');

-- returns: 0 rows
SELECT id FROM orders WHERE note LIKE 'a%';
