-- sqlglot 30.30.0, from sqlite to postgres

-- SQLite 3.40.1
CREATE TABLE customer (
  id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, city VARCHAR, vip BOOLEAN,
  boss INTEGER REFERENCES customer (id));
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id),
  shop_id INTEGER REFERENCES shop (id), day DATE, total INTEGER, rate DOUBLE PRECISION, note VARCHAR);
INSERT INTO customer (id, name) VALUES (0, 'a');
INSERT INTO orders (id, customer_id, note) VALUES (0, 0, '10');

-- returns: 1 rows
--   ('1')
SELECT SUBSTR(note, -2, 1) FROM orders;

-- PostgreSQL 18.6
CREATE TABLE public.customer (
  id bigint NOT NULL,
  name text NOT NULL,
  city text,
  vip boolean,
  boss bigint,
  PRIMARY KEY (id)
);
CREATE TABLE public.orders (
  id bigint NOT NULL,
  customer_id bigint NOT NULL,
  shop_id bigint,
  day date,
  total bigint,
  rate double precision,
  note text,
  PRIMARY KEY (id)
);
INSERT INTO "public"."customer" ("id", "name") VALUES (0, 'a');
INSERT INTO "public"."orders" ("id", "customer_id", "note") VALUES (0, 0, '10');

-- returns: 1 rows
--   ('')
SELECT SUBSTRING(note FROM -2 FOR 1) FROM orders;
