CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT,
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  marketing INTEGER CHECK (marketing IN (0, 1)),
  referrer_id INTEGER REFERENCES users,
  birthday TEXT,
  created_at TEXT NOT NULL,
  deleted_at TEXT
);

CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  sku TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  description TEXT,
  price NUMERIC NOT NULL CHECK (price >= 0),
  sale_price NUMERIC,
  stock INTEGER NOT NULL DEFAULT 0,
  tags TEXT NOT NULL DEFAULT '[]',
  attributes TEXT NOT NULL DEFAULT '{}',
  deleted INTEGER CHECK (deleted IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT
);

CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users,
  status TEXT NOT NULL DEFAULT 'cart' CHECK (status IN ('cart', 'pending', 'paid', 'shipped', 'delivered', 'cancelled')),
  total NUMERIC NOT NULL,
  discount NUMERIC,
  coupon TEXT,
  metadata TEXT,
  placed_at TEXT NOT NULL,
  shipped_at TEXT,
  delivery_on TEXT,
  deleted_at TEXT
);

CREATE TABLE order_items (
  order_id INTEGER NOT NULL REFERENCES orders,
  product_id INTEGER NOT NULL REFERENCES products,
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  unit_price NUMERIC NOT NULL,
  note TEXT,
  PRIMARY KEY (order_id, product_id)
);

CREATE TABLE reviews (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products,
  user_id INTEGER NOT NULL REFERENCES users,
  rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
  body TEXT,
  created_at TEXT NOT NULL,
  UNIQUE (product_id, user_id)
);
