-- sqlglot 30.30.0, from duckdb to postgres

-- DuckDB 2.0.0
CREATE TABLE customer(id INTEGER PRIMARY KEY, "name" VARCHAR NOT NULL, city VARCHAR, vip BOOLEAN, boss INTEGER, FOREIGN KEY (boss) REFERENCES customer(id));
CREATE TABLE shop(id INTEGER PRIMARY KEY, code VARCHAR NOT NULL UNIQUE, city VARCHAR, open INTEGER, CHECK((open >= 0)));
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, shop_id INTEGER, "day" DATE, total INTEGER, rate DOUBLE, note VARCHAR, FOREIGN KEY (customer_id) REFERENCES customer(id), FOREIGN KEY (shop_id) REFERENCES shop(id));
INSERT INTO "customer" ("id", "name") VALUES (1, 'a');
INSERT INTO "orders" ("id", "customer_id", "note") VALUES (0, 1, '                 　');

-- returns: 1 rows
--   ('')
SELECT TRIM(note) FROM orders;

-- PostgreSQL 18.6
CREATE TABLE public.customer (
  id integer NOT NULL,
  name text NOT NULL,
  city text,
  vip boolean,
  boss integer,
  PRIMARY KEY (id)
);
CREATE TABLE public.orders (
  id integer NOT NULL,
  customer_id integer NOT NULL,
  shop_id integer,
  day date,
  total integer,
  rate double precision,
  note text,
  PRIMARY KEY (id)
);
INSERT INTO "public"."customer" ("id", "name") VALUES (1, 'a');
INSERT INTO "public"."orders" ("id", "customer_id", "note") VALUES (0, 1, '                 　');

-- returns: 1 rows
--   ('               　')
SELECT TRIM(note) FROM orders;
