-- sqlglot 30.30.0, from postgres to sqlite

-- PostgreSQL 18.6
CREATE TABLE public.customer (
  id integer NOT NULL,
  name character varying NOT NULL,
  city character varying,
  vip boolean,
  boss integer,
  PRIMARY KEY (id)
);
INSERT INTO "public"."customer" ("id", "name", "vip") VALUES (0, 'a', FALSE);
ALTER TABLE public.customer ADD FOREIGN KEY (boss) REFERENCES public.customer(id);

-- returns: 1 rows
--   ('false')
SELECT CAST(vip AS VARCHAR) FROM customer;

-- SQLite 3.40.1
CREATE TABLE "customer" ("id" INTEGER NOT NULL, "name" TEXT NOT NULL, "city" TEXT, "vip" BOOLEAN, "boss" INTEGER, PRIMARY KEY ("id"));
INSERT INTO customer (id, name, vip) VALUES (0, 'a', 0);

-- returns: 1 rows
--   ('0')
SELECT CAST(vip AS TEXT) FROM customer;
