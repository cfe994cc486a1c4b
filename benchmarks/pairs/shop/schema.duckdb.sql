SET TimeZone = 'UTC';

CREATE TYPE order_status AS ENUM ('cart', 'pending', 'paid', 'shipped', 'delivered', 'cancelled');

CREATE TABLE users (
  id bigint PRIMARY KEY,
  email text NOT NULL UNIQUE,
  name text,
  active boolean NOT NULL DEFAULT true,
  marketing boolean,
  referrer_id bigint REFERENCES users (id),
  birthday date,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);

CREATE TABLE products (
  id bigint PRIMARY KEY,
  sku varchar(32) NOT NULL UNIQUE,
  title text NOT NULL,
  description text,
  price numeric(10, 2) NOT NULL CHECK (price >= 0),
  sale_price numeric(10, 2),
  stock integer NOT NULL DEFAULT 0,
  tags text[] NOT NULL,
  attributes json NOT NULL DEFAULT '{}',
  deleted boolean,
  created_at timestamp NOT NULL,
  updated_at timestamp
);

CREATE TABLE orders (
  id bigint PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  status order_status NOT NULL DEFAULT 'cart',
  total numeric(12, 2) NOT NULL,
  discount numeric(12, 2),
  coupon text,
  metadata json,
  placed_at timestamptz NOT NULL,
  shipped_at timestamptz,
  delivery_on date,
  deleted_at timestamptz
);

CREATE TABLE order_items (
  order_id bigint NOT NULL REFERENCES orders (id),
  product_id bigint NOT NULL REFERENCES products (id),
  quantity integer NOT NULL CHECK (quantity > 0),
  unit_price numeric(10, 2) NOT NULL,
  note text,
  PRIMARY KEY (order_id, product_id)
);

CREATE TABLE reviews (
  id bigint PRIMARY KEY,
  product_id bigint NOT NULL REFERENCES products (id),
  user_id bigint NOT NULL REFERENCES users (id),
  rating smallint NOT NULL CHECK (rating BETWEEN 1 AND 5),
  body text,
  created_at timestamp NOT NULL,
  UNIQUE (product_id, user_id)
);
