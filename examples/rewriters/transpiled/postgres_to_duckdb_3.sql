-- sqlglot 30.30.0, from postgres to duckdb

-- PostgreSQL 18.6
CREATE TABLE public.customer (
  id integer NOT NULL,
  name character varying NOT NULL,
  city character varying,
  vip boolean,
  boss integer,
  PRIMARY KEY (id)
);
CREATE TABLE public.shop (
  id integer NOT NULL,
  code character varying NOT NULL,
  city character varying,
  open integer,
  CHECK ((open >= 0)),
  PRIMARY KEY (id),
  UNIQUE (code)
);
CREATE TABLE public.orders (
  id integer NOT NULL,
  customer_id integer NOT NULL,
  shop_id integer,
  day date,
  total integer,
  rate double precision,
  note character varying,
  PRIMARY KEY (id)
);
INSERT INTO "public"."customer" ("id", "name") VALUES (1, 'a');
INSERT INTO "public"."orders" ("id", "customer_id", "total") VALUES (0, 1, 1);
ALTER TABLE public.customer ADD FOREIGN KEY (boss) REFERENCES public.customer(id);
ALTER TABLE public.orders ADD FOREIGN KEY (customer_id) REFERENCES public.customer(id);
ALTER TABLE public.orders ADD FOREIGN KEY (shop_id) REFERENCES public.shop(id);

-- returns: 1 rows
--   (0)
SELECT total / 2 FROM orders;

-- DuckDB 2.0.0
CREATE TABLE customer(id INTEGER, "name" VARCHAR NOT NULL, city VARCHAR, vip BOOLEAN, boss INTEGER, PRIMARY KEY(id));
CREATE TABLE orders(id INTEGER, customer_id INTEGER NOT NULL, shop_id INTEGER, "day" DATE, total INTEGER, rate DOUBLE, note VARCHAR, PRIMARY KEY(id));
INSERT INTO "customer" ("id", "name") VALUES (1, 'a');
INSERT INTO "orders" ("id", "customer_id", "total") VALUES (0, 1, 1);

-- returns: 1 rows
--   (0.5)
SELECT total / 2 FROM orders;
