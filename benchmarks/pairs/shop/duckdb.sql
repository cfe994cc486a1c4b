-- day_of_an_order: dates
SELECT id, total FROM orders WHERE placed_at::date = '2026-03-01';
SELECT id, total FROM orders WHERE placed_at >= '2026-03-01' AND placed_at < '2026-03-02';
SELECT id, total FROM orders WHERE date_trunc('day', placed_at) = '2026-03-01';
SELECT o.id, o.total FROM orders AS o WHERE date(o.placed_at) = DATE '2026-03-01';
SELECT id, total FROM orders WHERE placed_at BETWEEN '2026-03-01' AND '2026-03-02';
SELECT id, total FROM orders WHERE placed_at > '2026-03-01' AND placed_at < '2026-03-02';
SELECT id, total FROM orders WHERE placed_at = '2026-03-01';

-- month_of_a_product: dates
SELECT sku FROM products WHERE date_trunc('month', created_at) = '2026-02-01';
SELECT sku FROM products WHERE created_at >= '2026-02-01' AND created_at < '2026-03-01';
SELECT sku FROM products WHERE extract(year FROM created_at) = 2026 AND extract(month FROM created_at) = 2;
SELECT sku FROM products WHERE strftime(created_at, '%Y-%m') = '2026-02';
SELECT sku FROM products WHERE created_at BETWEEN '2026-02-01' AND '2026-02-28';
SELECT sku FROM products WHERE extract(month FROM created_at) = 2;
SELECT sku FROM products WHERE created_at >= '2026-02-01' AND created_at <= '2026-03-01';

-- revenue_of_a_year: dates
SELECT sum(total) AS revenue FROM orders WHERE extract(year FROM placed_at) = 2026 AND deleted_at IS NULL;
SELECT sum(total) AS revenue FROM orders WHERE placed_at >= '2026-01-01' AND placed_at < '2027-01-01' AND deleted_at IS NULL;
SELECT sum(total) AS revenue FROM orders WHERE deleted_at IS NULL AND date_part('year', placed_at) = 2026;
SELECT sum(o.total) AS revenue FROM (SELECT * FROM orders WHERE deleted_at IS NULL) AS o WHERE date_trunc('year', o.placed_at) = '2026-01-01';
SELECT sum(total) AS revenue FROM orders WHERE placed_at BETWEEN '2026-01-01' AND '2026-12-31' AND deleted_at IS NULL;
SELECT sum(total) AS revenue FROM orders WHERE extract(year FROM placed_at) >= 2026 AND deleted_at IS NULL;
SELECT sum(total) AS revenue FROM orders WHERE extract(year FROM placed_at) = 2026;

-- users_of_last_week: now
SELECT id, email FROM users WHERE created_at >= now() - interval '7 days';
SELECT id, email FROM users WHERE created_at >= now() - interval '1 week';
SELECT id, email FROM users WHERE now() - created_at <= interval '7 days';
SELECT id, email FROM users WHERE created_at >= CURRENT_TIMESTAMP - '7 days'::interval;
SELECT id, email FROM users WHERE created_at > now() - interval '7 days';
SELECT id, email FROM users WHERE created_at >= CURRENT_DATE - 7;
SELECT id, email FROM users WHERE created_at >= now() - interval '7 hours';

-- late_deliveries: intervals
SELECT id FROM orders WHERE shipped_at + interval '3 days' < '2026-03-10';
SELECT id FROM orders WHERE shipped_at < '2026-03-07';
SELECT id FROM orders WHERE shipped_at < timestamptz '2026-03-10' - interval '3 days';
SELECT id FROM orders WHERE shipped_at + interval '1 day' + interval '2 days' < '2026-03-10';
SELECT id FROM orders WHERE shipped_at + interval '2 days' < '2026-03-10';
SELECT id FROM orders WHERE shipped_at <= '2026-03-07';
SELECT id FROM orders WHERE shipped_at::date < '2026-03-06';

-- two_weeks_after_delivery: intervals
SELECT id FROM orders WHERE delivery_on + 14 >= '2026-03-15';
SELECT id FROM orders WHERE delivery_on >= DATE '2026-03-15' - 14;
SELECT id FROM orders WHERE delivery_on >= '2026-03-01';
SELECT id FROM orders WHERE delivery_on + interval '14 days' >= '2026-03-15';
SELECT id FROM orders WHERE delivery_on > '2026-03-01';
SELECT id FROM orders WHERE delivery_on + interval '1 month' >= '2026-03-15';
SELECT id FROM orders WHERE delivery_on - 14 >= '2026-03-15';

-- totals_by_month: dates
SELECT date_trunc('month', placed_at) AS month, count(*) AS orders, sum(total) AS total FROM orders WHERE status <> 'cancelled' GROUP BY 1;
SELECT date_trunc('month', o.placed_at) AS month, count(*) AS orders, sum(o.total) AS total FROM orders o WHERE o.status != 'cancelled' GROUP BY date_trunc('month', o.placed_at);
WITH by_month AS (SELECT date_trunc('month', placed_at) AS month, total FROM orders WHERE NOT status = 'cancelled') SELECT month, count(total) AS orders, sum(total) AS total FROM by_month GROUP BY month;
SELECT date_trunc('month', placed_at) AS month, count(id) AS orders, sum(total) AS total FROM orders WHERE status IN ('cart', 'pending', 'paid', 'shipped', 'delivered') GROUP BY month;
SELECT date_trunc('day', placed_at) AS month, count(*) AS orders, sum(total) AS total FROM orders WHERE status <> 'cancelled' GROUP BY 1;
SELECT date_trunc('month', placed_at) AS month, count(DISTINCT user_id) AS orders, sum(total) AS total FROM orders WHERE status <> 'cancelled' GROUP BY 1;
SELECT date_trunc('month', placed_at) AS month, count(*) AS orders, sum(total) AS total FROM orders GROUP BY 1;

-- busy_years: dates
SELECT extract(year FROM created_at) AS year, count(*) AS users FROM users GROUP BY extract(year FROM created_at) HAVING count(*) > 10;
SELECT year, users FROM (SELECT extract(year FROM created_at) AS year, count(*) AS users FROM users GROUP BY 1) AS t WHERE users > 10;
SELECT extract(year FROM created_at) AS year, count(id) AS users FROM users GROUP BY year HAVING count(email) >= 11;
WITH y AS (SELECT extract(year FROM created_at) AS year FROM users) SELECT year, count(*) AS users FROM y GROUP BY year HAVING NOT count(*) <= 10;
SELECT extract(year FROM created_at) AS year, count(*) AS users FROM users GROUP BY extract(year FROM created_at) HAVING count(*) >= 10;
SELECT extract(year FROM created_at) AS year, count(deleted_at) AS users FROM users GROUP BY extract(year FROM created_at) HAVING count(*) > 10;
SELECT extract(year FROM created_at) AS year, count(*) AS users FROM users WHERE deleted_at IS NULL GROUP BY extract(year FROM created_at) HAVING count(*) > 10;

-- active_users: booleans
SELECT id, email FROM users WHERE active = true AND deleted_at IS NULL;
SELECT id, email FROM users WHERE active AND deleted_at IS NULL;
SELECT id, email FROM users WHERE active IS TRUE AND deleted_at IS NULL;
SELECT id, email FROM users WHERE NOT (active = false OR deleted_at IS NOT NULL);
SELECT id, email FROM users WHERE active OR deleted_at IS NULL;
SELECT id, email FROM users WHERE active = false AND deleted_at IS NULL;
SELECT id, email FROM users WHERE marketing IS TRUE AND deleted_at IS NULL;

-- may_be_written_to: booleans
SELECT email FROM users WHERE marketing IS TRUE;
SELECT email FROM users WHERE coalesce(marketing, false);
SELECT email FROM users WHERE marketing = true;
SELECT email FROM users WHERE marketing IS NOT DISTINCT FROM true;
SELECT email FROM users WHERE marketing IS NOT FALSE;
SELECT email FROM users WHERE marketing IS NOT NULL;
SELECT email FROM users WHERE coalesce(marketing, true);

-- products_on_sale: booleans
SELECT sku, title FROM products WHERE NOT coalesce(deleted, false);
SELECT sku, title FROM products WHERE deleted IS NOT TRUE;
SELECT sku, title FROM products WHERE deleted IS NULL OR deleted = false;
SELECT sku, title FROM products WHERE CASE WHEN deleted THEN false ELSE true END;
SELECT sku, title FROM products WHERE NOT deleted;
SELECT sku, title FROM products WHERE deleted IS NULL;
SELECT sku, title FROM products WHERE deleted <> false;

-- user_by_email: texts
SELECT id FROM users WHERE lower(email) = 'ann@example.com';
SELECT id FROM users WHERE lower(email) IN ('ann@example.com');
SELECT id FROM users WHERE lower(email) = lower('Ann@Example.com');
SELECT id FROM users WHERE email ILIKE 'ann@example.com';
SELECT id FROM users WHERE email = 'ann@example.com';
SELECT id FROM users WHERE upper(email) = 'ann@example.com';
SELECT id FROM users WHERE lower(email) LIKE '%ann@example.com';

-- users_by_name: texts
SELECT id, name FROM users WHERE name ILIKE 'mar%';
SELECT id, name FROM users WHERE lower(name) LIKE 'mar%';
SELECT id, name FROM users WHERE name ILIKE 'MAR%' AND name IS NOT NULL;
SELECT id, name FROM users WHERE left(lower(name), 3) = 'mar';
SELECT id, name FROM users WHERE name LIKE 'mar%';
SELECT id, name FROM users WHERE name ILIKE '%mar%';
SELECT id, name FROM users WHERE lower(name) LIKE 'Mar%';

-- orders_under_way: enums
SELECT id, user_id FROM orders WHERE status IN ('paid', 'shipped', 'delivered');
SELECT id, user_id FROM orders WHERE status = ANY (ARRAY['paid', 'shipped', 'delivered']::order_status[]);
SELECT id, user_id FROM orders WHERE status = 'paid' OR status = 'shipped' OR status = 'delivered';
SELECT id, user_id FROM orders WHERE status NOT IN ('cart', 'pending', 'cancelled');
SELECT id, user_id FROM orders WHERE status <> ALL (ARRAY['paid', 'shipped', 'delivered']::order_status[]);
SELECT id, user_id FROM orders WHERE status IN ('paid', 'shipped');
SELECT id, user_id FROM orders WHERE status NOT IN ('cart', 'pending');

-- orders_from_paid_on: enums
SELECT id, status FROM orders WHERE status >= 'paid'::order_status AND status < 'cancelled'::order_status;
SELECT id, status FROM orders WHERE status IN ('paid', 'shipped', 'delivered');
SELECT id, status FROM orders WHERE status BETWEEN 'paid'::order_status AND 'delivered'::order_status;
SELECT id, status FROM orders WHERE NOT (status < 'paid'::order_status OR status > 'delivered'::order_status);
SELECT id, status FROM orders WHERE status >= 'paid'::order_status;
SELECT id, status FROM orders WHERE status > 'paid'::order_status AND status < 'cancelled'::order_status;
SELECT id, status FROM orders WHERE status IN ('pending', 'paid', 'shipped', 'delivered');

-- orders_before_payment: enums
SELECT count(*) AS n FROM orders WHERE status < 'paid'::order_status;
SELECT count(*) AS n FROM orders WHERE status IN ('cart', 'pending');
SELECT count(*) AS n FROM orders WHERE NOT status >= 'paid'::order_status;
SELECT count(id) AS n FROM orders WHERE status <= 'pending'::order_status;
SELECT count(*) AS n FROM orders WHERE status::text < 'paid';
SELECT count(*) AS n FROM orders WHERE status <= 'paid'::order_status;
SELECT count(*) AS n FROM orders WHERE status <> 'paid';

-- orders_by_source: json
SELECT id FROM orders WHERE metadata ->> 'source' = 'web';
SELECT id FROM orders WHERE metadata ->> 'source' IS NOT NULL AND metadata ->> 'source' = 'web';
SELECT id FROM orders WHERE (metadata ->> 'source') IN ('web');
SELECT id FROM orders WHERE metadata IS NOT NULL AND metadata->>'source' = 'web';
SELECT id FROM orders WHERE metadata ->> 'source' <> 'web';
SELECT id FROM orders WHERE metadata ->> 'medium' = 'web';
SELECT id FROM orders WHERE metadata ->> 'source' = 'web' OR metadata IS NULL;

-- orders_that_are_no_gift: json
SELECT id, total FROM orders WHERE coalesce(metadata ->> 'gift', 'no') <> 'yes';
SELECT id, total FROM orders WHERE metadata ->> 'gift' IS DISTINCT FROM 'yes';
SELECT id, total FROM orders WHERE metadata ->> 'gift' IS NULL OR metadata ->> 'gift' <> 'yes';
SELECT id, total FROM orders WHERE NOT coalesce(metadata ->> 'gift' = 'yes', false);
SELECT id, total FROM orders WHERE metadata ->> 'gift' <> 'yes';
SELECT id, total FROM orders WHERE metadata ->> 'gift' IS NULL;
SELECT id, total FROM orders WHERE coalesce(metadata ->> 'gift', 'yes') <> 'yes';

-- products_tagged_sale: arrays
SELECT sku FROM products WHERE 'sale' = ANY (tags) AND stock > 0;
SELECT sku FROM products WHERE stock >= 1 AND 'sale' = ANY (tags);
SELECT sku FROM products WHERE tags @> ARRAY['sale'] AND stock > 0;
SELECT sku FROM (SELECT sku, tags FROM products WHERE NOT stock <= 0) AS p WHERE 'sale' = ANY (p.tags);
SELECT sku FROM products WHERE 'sale' = ALL (tags) AND stock > 0;
SELECT sku FROM products WHERE 'sale' <> ALL (tags) AND stock > 0;
SELECT sku FROM products WHERE 'sale' = ANY (tags) AND stock >= 0;

-- products_tagged_new_or_sale: arrays
SELECT id, title FROM products WHERE tags && ARRAY['new', 'sale'];
SELECT id, title FROM products WHERE ARRAY['new', 'sale'] && tags;
SELECT id, title FROM products WHERE list_has_any(tags, ['new', 'sale']);
SELECT id, title FROM products WHERE 'new' = ANY (tags) OR 'sale' = ANY (tags);
SELECT id, title FROM products WHERE tags @> ARRAY['new', 'sale'];
SELECT id, title FROM products WHERE tags && ARRAY['new'];
SELECT id, title FROM products WHERE NOT (tags && ARRAY['new', 'sale']);

-- products_by_ids: arrays
SELECT id, title FROM products WHERE id = ANY (ARRAY[1, 2, 3]);
SELECT id, title FROM products WHERE id IN (1, 2, 3);
SELECT id, title FROM products WHERE list_contains([1, 2, 3], id);
SELECT p.id, p.title FROM products p WHERE p.id IN (VALUES (1), (2), (3));
SELECT id, title FROM products WHERE id IN (1, 2);
SELECT id, title FROM products WHERE id NOT IN (1, 2, 3);
SELECT id, title FROM products WHERE id BETWEEN 1 AND 4;

-- orders_of_given_users: arrays
SELECT id, total FROM orders WHERE user_id = ANY ($1::bigint[]) AND status = 'paid';
SELECT id, total FROM orders WHERE status = 'paid' AND user_id = ANY ($1::bigint[]);
SELECT id, total FROM orders WHERE NOT (user_id <> ALL ($1::bigint[])) AND status = 'paid';
SELECT o.id, o.total FROM orders AS o WHERE o.status = 'paid' AND EXISTS (SELECT 1 FROM unnest($1::bigint[]) AS u (id) WHERE u.id = o.user_id);
SELECT id, total FROM orders WHERE user_id <> ALL ($1::bigint[]) AND status = 'paid';
SELECT id, total FROM orders WHERE user_id = ANY ($1::bigint[]) AND status <> 'paid';
SELECT id, total FROM orders WHERE user_id = ALL ($1::bigint[]) AND status = 'paid';

-- next_page_of_orders: pages
SELECT id, placed_at FROM orders WHERE (placed_at, id) < ($1::timestamptz, $2::bigint) ORDER BY placed_at DESC, id DESC LIMIT 20;
SELECT id, placed_at FROM orders WHERE placed_at < $1::timestamptz OR $1::timestamptz IS NULL OR (placed_at = $1::timestamptz AND (id < $2::bigint OR $2::bigint IS NULL)) ORDER BY placed_at DESC, id DESC LIMIT 20;
SELECT id, placed_at FROM orders WHERE ($1::timestamptz, $2::bigint) > (placed_at, id) ORDER BY placed_at DESC, id DESC LIMIT 20;
SELECT id, placed_at FROM orders WHERE NOT (placed_at, id) >= ($1::timestamptz, $2::bigint) ORDER BY placed_at DESC, id DESC LIMIT 20;
SELECT id, placed_at FROM orders WHERE placed_at < $1::timestamptz OR (placed_at = $1::timestamptz AND id < $2::bigint) ORDER BY placed_at DESC, id DESC LIMIT 20;
SELECT id, placed_at FROM orders WHERE (placed_at, id) <= ($1::timestamptz, $2::bigint) ORDER BY placed_at DESC, id DESC LIMIT 20;
SELECT id, placed_at FROM orders WHERE (id, placed_at) < ($2::bigint, $1::timestamptz) ORDER BY placed_at DESC, id DESC LIMIT 20;

-- page_of_products: pages
SELECT id, title FROM products WHERE deleted IS NOT TRUE ORDER BY title, id LIMIT $1 OFFSET $2;
SELECT id, title FROM products WHERE NOT coalesce(deleted, false) ORDER BY title ASC, id ASC LIMIT $1 OFFSET $2;
SELECT p.id, p.title FROM products p WHERE p.deleted IS NOT TRUE ORDER BY p.title, p.id LIMIT $1 OFFSET $2;
SELECT id, title FROM products WHERE deleted IS NULL OR NOT deleted ORDER BY 2, 1 LIMIT $1 OFFSET $2;
SELECT id, title FROM products WHERE deleted IS NOT TRUE ORDER BY title DESC, id LIMIT $1 OFFSET $2;
SELECT id, title FROM products WHERE deleted IS NOT TRUE ORDER BY title, id LIMIT $1;
SELECT id, title FROM products WHERE deleted IS NOT TRUE ORDER BY id LIMIT $1 OFFSET $2;

-- users_without_orders: anti-joins
SELECT u.id, u.email FROM users u LEFT JOIN orders o ON o.user_id = u.id AND o.deleted_at IS NULL WHERE o.id IS NULL AND u.deleted_at IS NULL;
SELECT u.id, u.email FROM users u WHERE u.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id AND o.deleted_at IS NULL);
SELECT id, email FROM users WHERE deleted_at IS NULL AND id NOT IN (SELECT user_id FROM orders WHERE deleted_at IS NULL);
SELECT u.id, u.email FROM users u WHERE u.deleted_at IS NULL AND (SELECT count(*) FROM orders o WHERE o.user_id = u.id AND o.deleted_at IS NULL) = 0;
SELECT u.id, u.email FROM users u LEFT JOIN orders o ON o.user_id = u.id WHERE o.id IS NULL AND o.deleted_at IS NULL AND u.deleted_at IS NULL;
SELECT u.id, u.email FROM users u WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id AND o.deleted_at IS NULL);
SELECT u.id, u.email FROM users u LEFT JOIN orders o ON o.user_id = u.id WHERE o.deleted_at IS NULL AND u.deleted_at IS NULL;

-- users_who_paid: joins
SELECT DISTINCT u.id, u.email FROM users u JOIN orders o ON o.user_id = u.id WHERE o.status = 'paid';
SELECT u.id, u.email FROM users u WHERE EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id AND o.status = 'paid');
SELECT id, email FROM users WHERE id IN (SELECT user_id FROM orders WHERE status = 'paid');
SELECT u.id, u.email FROM users u JOIN orders o ON u.id = o.user_id AND o.status = 'paid' GROUP BY u.id, u.email;
SELECT u.id, u.email FROM users u JOIN orders o ON o.user_id = u.id WHERE o.status = 'paid';
SELECT u.id, u.email FROM users u WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id AND o.status = 'paid');
SELECT DISTINCT u.id, u.email FROM users u LEFT JOIN orders o ON o.user_id = u.id AND o.status = 'paid';

-- paid_orders_of_each_user: filters
SELECT user_id, count(*) FILTER (WHERE status = 'paid') AS paid, count(*) AS n FROM orders GROUP BY user_id;
SELECT user_id, sum(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) AS paid, count(*) AS n FROM orders GROUP BY user_id;
SELECT user_id, count(CASE WHEN status = 'paid' THEN 1 END) AS paid, count(id) AS n FROM orders GROUP BY user_id;
SELECT o.user_id, count(*) FILTER (WHERE o.status IN ('paid')) AS paid, count(o.user_id) AS n FROM orders o GROUP BY 1;
SELECT user_id, count(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) AS paid, count(*) AS n FROM orders GROUP BY user_id;
SELECT user_id, count(*) AS paid, count(*) AS n FROM orders WHERE status = 'paid' GROUP BY user_id;
SELECT user_id, sum(CASE WHEN status = 'paid' THEN 1 END) AS paid, count(*) AS n FROM orders GROUP BY user_id;

-- revenue_with_coupons: filters
SELECT sum(total) FILTER (WHERE coupon IS NOT NULL) AS with_coupon, sum(total) AS total FROM orders WHERE deleted_at IS NULL;
SELECT sum(CASE WHEN coupon IS NOT NULL THEN total END) AS with_coupon, sum(total) AS total FROM orders WHERE deleted_at IS NULL;
SELECT (SELECT sum(total) FROM orders WHERE coupon IS NOT NULL AND deleted_at IS NULL) AS with_coupon, (SELECT sum(total) FROM orders WHERE deleted_at IS NULL) AS total;
SELECT sum(CASE WHEN coupon IS NULL THEN NULL ELSE total END) AS with_coupon, sum(total) AS total FROM orders WHERE deleted_at IS NULL;
SELECT sum(CASE WHEN coupon IS NOT NULL THEN total ELSE 0 END) AS with_coupon, sum(total) AS total FROM orders WHERE deleted_at IS NULL;
SELECT sum(total) FILTER (WHERE coupon IS NULL) AS with_coupon, sum(total) AS total FROM orders WHERE deleted_at IS NULL;
SELECT sum(total) FILTER (WHERE coupon IS NOT NULL) AS with_coupon, sum(total) AS total FROM orders;

-- latest_order_of_each_user: first of each
SELECT DISTINCT ON (user_id) user_id, id, total FROM orders ORDER BY user_id, placed_at DESC, id DESC;
SELECT user_id, id, total FROM (SELECT user_id, id, total, row_number() OVER (PARTITION BY user_id ORDER BY placed_at DESC, id DESC) AS rn FROM orders) AS t WHERE rn = 1 ORDER BY user_id;
SELECT o.user_id, o.id, o.total FROM orders o WHERE NOT EXISTS (SELECT 1 FROM orders x WHERE x.user_id = o.user_id AND (x.placed_at, x.id) > (o.placed_at, o.id)) ORDER BY o.user_id;
SELECT o.user_id, o.id, o.total FROM orders o WHERE o.id = (SELECT x.id FROM orders x WHERE x.user_id = o.user_id ORDER BY x.placed_at DESC, x.id DESC LIMIT 1) ORDER BY o.user_id;
SELECT DISTINCT ON (user_id) user_id, id, total FROM orders ORDER BY user_id, placed_at, id;
SELECT user_id, id, total FROM (SELECT user_id, id, total, rank() OVER (PARTITION BY user_id ORDER BY placed_at DESC) AS rn FROM orders) AS t WHERE rn = 1 ORDER BY user_id;
SELECT DISTINCT ON (user_id) user_id, id, total FROM orders WHERE deleted_at IS NULL ORDER BY user_id, placed_at DESC, id DESC;

-- first_rating_of_each_product: first of each
SELECT p.id, (SELECT r.rating FROM reviews r WHERE r.product_id = p.id ORDER BY r.created_at, r.id LIMIT 1) AS first_rating FROM products p;
SELECT p.id, f.rating AS first_rating FROM products p LEFT JOIN LATERAL (SELECT r.rating FROM reviews r WHERE r.product_id = p.id ORDER BY r.created_at, r.id LIMIT 1) AS f ON true;
SELECT p.id, f.rating AS first_rating FROM products p LEFT JOIN (SELECT DISTINCT ON (product_id) product_id, rating FROM reviews ORDER BY product_id, created_at, id) AS f ON f.product_id = p.id;
WITH ranked AS (SELECT product_id, rating, row_number() OVER (PARTITION BY product_id ORDER BY created_at, id) AS rn FROM reviews) SELECT p.id, r.rating AS first_rating FROM products p LEFT JOIN ranked r ON r.product_id = p.id AND r.rn = 1;
SELECT p.id, f.rating AS first_rating FROM products p JOIN LATERAL (SELECT r.rating FROM reviews r WHERE r.product_id = p.id ORDER BY r.created_at, r.id LIMIT 1) AS f ON true;
SELECT p.id, (SELECT r.rating FROM reviews r WHERE r.product_id = p.id ORDER BY r.created_at DESC, r.id LIMIT 1) AS first_rating FROM products p;
SELECT p.id, (SELECT max(r.rating) FROM reviews r WHERE r.product_id = p.id) AS first_rating FROM products p;

-- prices_below_twenty: nulls
SELECT id, coalesce(sale_price, price) AS price FROM products WHERE coalesce(sale_price, price) < 20;
SELECT id, CASE WHEN sale_price IS NOT NULL THEN sale_price ELSE price END AS price FROM products WHERE CASE WHEN sale_price IS NOT NULL THEN sale_price ELSE price END < 20;
SELECT id, shown AS price FROM (SELECT id, coalesce(sale_price, price) AS shown FROM products) AS p WHERE shown < 20;
SELECT id, coalesce(sale_price, price) AS price FROM products WHERE sale_price < 20 OR (sale_price IS NULL AND price < 20);
SELECT id, coalesce(price, sale_price) AS price FROM products WHERE coalesce(price, sale_price) < 20;
SELECT id, coalesce(sale_price, price) AS price FROM products WHERE sale_price < 20 OR price < 20;
SELECT id, coalesce(nullif(sale_price, 0), price) AS price FROM products WHERE coalesce(sale_price, price) < 20;

-- total_per_discount: nulls
SELECT id, total / nullif(discount, 0) AS ratio FROM orders;
SELECT id, CASE WHEN discount = 0 THEN NULL ELSE total / discount END AS ratio FROM orders;
SELECT id, CASE WHEN discount <> 0 THEN total / discount END AS ratio FROM orders;
SELECT id, total / CASE WHEN discount = 0 THEN NULL ELSE discount END AS ratio FROM orders;
SELECT id, discount / nullif(total, 0) AS ratio FROM orders;
SELECT id, total / discount AS ratio FROM orders WHERE discount <> 0;
SELECT id, coalesce(total / nullif(discount, 0), 0) AS ratio FROM orders;

-- amount_due: nulls
SELECT id, greatest(total - coalesce(discount, 0), 0) AS due FROM orders;
SELECT id, CASE WHEN total - coalesce(discount, 0) > 0 THEN total - coalesce(discount, 0) ELSE 0 END AS due FROM orders;
SELECT id, CASE WHEN discount IS NULL THEN greatest(total, 0) ELSE greatest(total - discount, 0) END AS due FROM orders;
SELECT id, CASE WHEN total < coalesce(discount, 0) THEN 0 ELSE total - coalesce(discount, 0) END AS due FROM orders;
SELECT id, greatest(total - discount, 0) AS due FROM orders;
SELECT id, least(total - coalesce(discount, 0), 0) AS due FROM orders;
SELECT id, total - coalesce(discount, 0) AS due FROM orders;

-- items_of_each_order: joins
SELECT o.id, sum(i.quantity * i.unit_price) AS amount FROM orders o JOIN order_items i ON i.order_id = o.id GROUP BY o.id;
SELECT order_id AS id, sum(quantity * unit_price) AS amount FROM order_items GROUP BY order_id;
SELECT o.id, t.amount FROM orders o JOIN (SELECT order_id, sum(unit_price * quantity) AS amount FROM order_items GROUP BY order_id) AS t ON t.order_id = o.id;
SELECT o.id, (SELECT sum(i.quantity * i.unit_price) FROM order_items i WHERE i.order_id = o.id) AS amount FROM orders o WHERE EXISTS (SELECT 1 FROM order_items i WHERE i.order_id = o.id);
SELECT o.id, sum(i.quantity * i.unit_price) AS amount FROM orders o LEFT JOIN order_items i ON i.order_id = o.id GROUP BY o.id;
SELECT o.id, sum(i.unit_price) AS amount FROM orders o JOIN order_items i ON i.order_id = o.id GROUP BY o.id;
SELECT o.id, sum(DISTINCT i.quantity * i.unit_price) AS amount FROM orders o JOIN order_items i ON i.order_id = o.id GROUP BY o.id;

-- orders_above_average: joins
SELECT id, total FROM orders WHERE total > (SELECT avg(total) FROM orders);
SELECT o.id, o.total FROM orders o CROSS JOIN (SELECT avg(total) AS mean FROM orders) AS a WHERE o.total > a.mean;
WITH a AS (SELECT avg(total) AS mean FROM orders) SELECT o.id, o.total FROM orders o JOIN a ON o.total > a.mean;
SELECT id, total FROM (SELECT id, total, avg(total) OVER () AS mean FROM orders) AS t WHERE total > mean;
SELECT id, total FROM orders WHERE total >= (SELECT avg(total) FROM orders);
SELECT o.id, o.total FROM orders o WHERE o.total > (SELECT avg(x.total) FROM orders x WHERE x.user_id = o.user_id);
SELECT id, total FROM orders WHERE total > (SELECT avg(total) FROM orders WHERE deleted_at IS NULL);

-- good_customers: groups
SELECT user_id FROM orders WHERE status = 'paid' GROUP BY user_id HAVING count(*) >= 3 AND sum(total) > 100;
SELECT user_id FROM (SELECT user_id, count(*) AS n, sum(total) AS amount FROM orders WHERE status = 'paid' GROUP BY user_id) AS t WHERE n >= 3 AND amount > 100;
SELECT o.user_id FROM orders o WHERE o.status = 'paid' GROUP BY 1 HAVING sum(o.total) > 100 AND count(o.id) > 2;
SELECT u.id AS user_id FROM users u JOIN orders o ON o.user_id = u.id WHERE o.status = 'paid' GROUP BY u.id HAVING count(*) >= 3 AND sum(o.total) > 100;
SELECT user_id FROM orders WHERE status = 'paid' GROUP BY user_id HAVING count(*) > 3 AND sum(total) > 100;
SELECT user_id FROM orders WHERE status = 'paid' GROUP BY user_id HAVING count(*) >= 3 OR sum(total) > 100;
SELECT user_id FROM orders GROUP BY user_id HAVING count(*) >= 3 AND sum(total) > 100;

-- products_never_ordered: anti-joins
SELECT id FROM products EXCEPT SELECT product_id FROM order_items;
SELECT p.id FROM products p WHERE NOT EXISTS (SELECT 1 FROM order_items i WHERE i.product_id = p.id);
SELECT p.id FROM products p LEFT JOIN order_items i ON i.product_id = p.id WHERE i.product_id IS NULL;
SELECT id FROM products WHERE id NOT IN (SELECT product_id FROM order_items);
SELECT id FROM products INTERSECT SELECT product_id FROM order_items;
SELECT id FROM products EXCEPT SELECT product_id FROM order_items WHERE quantity > 1;
SELECT p.id FROM products p LEFT JOIN order_items i ON i.product_id = p.id WHERE i.note IS NULL;

-- referrers: joins
SELECT u.id, r.email AS referrer FROM users u LEFT JOIN users r ON r.id = u.referrer_id;
SELECT u.id, (SELECT r.email FROM users r WHERE r.id = u.referrer_id) AS referrer FROM users u;
SELECT u.id, r.email AS referrer FROM users r RIGHT JOIN users u ON u.referrer_id = r.id;
SELECT u.id, r.email AS referrer FROM users u JOIN users r ON r.id = u.referrer_id UNION ALL SELECT id, NULL FROM users WHERE referrer_id IS NULL;
SELECT u.id, r.email AS referrer FROM users u JOIN users r ON r.id = u.referrer_id;
SELECT u.id, r.email AS referrer FROM users u LEFT JOIN users r ON r.referrer_id = u.id;
SELECT u.id, r.email AS referrer FROM users u LEFT JOIN users r ON r.id = u.referrer_id WHERE r.deleted_at IS NULL;

-- last_order_of_each_user: groups
SELECT u.id, max(o.placed_at) AS last_order FROM users u LEFT JOIN orders o ON o.user_id = u.id GROUP BY u.id;
SELECT u.id, (SELECT max(o.placed_at) FROM orders o WHERE o.user_id = u.id) AS last_order FROM users u;
SELECT u.id, (SELECT o.placed_at FROM orders o WHERE o.user_id = u.id ORDER BY o.placed_at DESC LIMIT 1) AS last_order FROM users u;
SELECT u.id, t.last_order FROM users u LEFT JOIN (SELECT user_id, max(placed_at) AS last_order FROM orders GROUP BY user_id) AS t ON t.user_id = u.id;
SELECT u.id, max(o.placed_at) AS last_order FROM users u JOIN orders o ON o.user_id = u.id GROUP BY u.id;
SELECT u.id, min(o.placed_at) AS last_order FROM users u LEFT JOIN orders o ON o.user_id = u.id GROUP BY u.id;
SELECT u.id, max(o.placed_at) AS last_order FROM users u LEFT JOIN orders o ON o.user_id = u.id WHERE o.deleted_at IS NULL GROUP BY u.id;

-- open_and_unshipped: filters
SELECT count(*) FILTER (WHERE status IN ('paid', 'shipped')) AS open, count(*) FILTER (WHERE shipped_at IS NULL) AS unshipped FROM orders;
SELECT coalesce(sum(CASE WHEN status IN ('paid', 'shipped') THEN 1 ELSE 0 END), 0) AS open, count(*) - count(shipped_at) AS unshipped FROM orders;
SELECT count(CASE WHEN status = 'paid' OR status = 'shipped' THEN id END) AS open, count(CASE WHEN shipped_at IS NULL THEN 1 END) AS unshipped FROM orders;
SELECT (SELECT count(*) FROM orders WHERE status IN ('paid', 'shipped')) AS open, (SELECT count(*) FROM orders WHERE shipped_at IS NULL) AS unshipped;
SELECT count(*) FILTER (WHERE status IN ('paid', 'shipped')) AS open, count(shipped_at) AS unshipped FROM orders;
SELECT count(*) FILTER (WHERE status IN ('paid')) AS open, count(*) FILTER (WHERE shipped_at IS NULL) AS unshipped FROM orders;
SELECT sum(CASE WHEN status IN ('paid', 'shipped') THEN 1 ELSE 0 END) AS open, count(*) FILTER (WHERE shipped_at IS NULL) AS unshipped FROM orders;

-- orders_of_january: dates
SELECT id FROM orders WHERE placed_at::date BETWEEN '2026-01-01' AND '2026-01-31';
SELECT id FROM orders WHERE placed_at >= '2026-01-01' AND placed_at < '2026-02-01';
SELECT id FROM orders WHERE date_trunc('month', placed_at) = '2026-01-01';
SELECT id FROM orders WHERE strftime(placed_at, '%Y-%m') = '2026-01';
SELECT id FROM orders WHERE placed_at BETWEEN '2026-01-01' AND '2026-01-31';
SELECT id FROM orders WHERE placed_at >= '2026-01-01' AND placed_at <= '2026-02-01';
SELECT id FROM orders WHERE extract(month FROM placed_at) = 1;

-- orders_in_office_hours: dates
SELECT id FROM orders WHERE extract(hour FROM placed_at) BETWEEN 9 AND 17;
SELECT id FROM orders WHERE extract(hour FROM placed_at) >= 9 AND extract(hour FROM placed_at) < 18;
SELECT id FROM orders WHERE hour(placed_at) >= 9 AND NOT hour(placed_at) > 17;
SELECT id FROM orders WHERE date_part('hour', placed_at) IN (9, 10, 11, 12, 13, 14, 15, 16, 17);
SELECT id FROM orders WHERE hour(placed_at) BETWEEN 9 AND 16;
SELECT id FROM orders WHERE extract(hour FROM placed_at) BETWEEN 9 AND 18;
SELECT id FROM orders WHERE extract(hour FROM placed_at) > 9 AND extract(hour FROM placed_at) <= 17;

-- first_quarter: dates
SELECT id, total FROM orders WHERE extract(quarter FROM placed_at) = 1 AND extract(year FROM placed_at) = 2026;
SELECT id, total FROM orders WHERE placed_at >= '2026-01-01' AND placed_at < '2026-04-01';
SELECT id, total FROM orders WHERE date_trunc('quarter', placed_at) = '2026-01-01';
SELECT id, total FROM orders WHERE extract(month FROM placed_at) IN (1, 2, 3) AND extract(year FROM placed_at) = 2026;
SELECT id, total FROM orders WHERE placed_at >= '2026-01-01' AND placed_at < '2026-03-31';
SELECT id, total FROM orders WHERE extract(quarter FROM placed_at) = 1;
SELECT id, total FROM orders WHERE extract(quarter FROM placed_at) = 2 AND extract(year FROM placed_at) = 2026;

-- born_on_leap_day: dates
SELECT id, name FROM users WHERE extract(month FROM birthday) = 2 AND extract(day FROM birthday) = 29;
SELECT id, name FROM users WHERE strftime(birthday, '%m-%d') = '02-29';
SELECT id, name FROM users WHERE date_part('day', birthday) = 29 AND date_part('month', birthday) = 2;
SELECT id, name FROM users WHERE (extract(month FROM birthday), extract(day FROM birthday)) = (2, 29);
SELECT id, name FROM users WHERE extract(month FROM birthday) = 2 AND extract(day FROM birthday) >= 28;
SELECT id, name FROM users WHERE extract(month FROM birthday) = 2 OR extract(day FROM birthday) = 29;
SELECT id, name FROM users WHERE strftime(birthday, '%m-%d') = '29-02';

-- adults: now
SELECT id FROM users WHERE birthday <= CURRENT_DATE - interval '18 years';
SELECT id FROM users WHERE birthday <= (CURRENT_DATE - interval '18 years')::date;
SELECT id FROM users WHERE birthday <= CURRENT_DATE - interval '216 months';
SELECT id FROM users WHERE NOT birthday > CURRENT_DATE - interval '18 years';
SELECT id FROM users WHERE birthday < CURRENT_DATE - interval '18 years';
SELECT id FROM users WHERE birthday <= CURRENT_DATE - interval '17 years';
SELECT id FROM users WHERE birthday <= CURRENT_DATE - interval '18 years' OR birthday IS NULL;

-- running_totals: windows
SELECT id, sum(total) OVER (PARTITION BY user_id ORDER BY placed_at, id) AS running FROM orders;
SELECT id, sum(total) OVER (PARTITION BY user_id ORDER BY placed_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running FROM orders;
SELECT id, sum(total) OVER w AS running FROM orders WINDOW w AS (PARTITION BY user_id ORDER BY placed_at ASC, id ASC);
SELECT o.id, (SELECT sum(x.total) FROM orders x WHERE x.user_id = o.user_id AND (x.placed_at, x.id) <= (o.placed_at, o.id)) AS running FROM orders o;
SELECT id, sum(total) OVER (PARTITION BY user_id ORDER BY placed_at DESC, id DESC) AS running FROM orders;
SELECT id, sum(total) OVER (ORDER BY placed_at, id) AS running FROM orders;
SELECT id, sum(total) OVER (PARTITION BY user_id ORDER BY placed_at) AS running FROM orders;

-- three_dearest_of_each_user: windows
SELECT user_id, id FROM (SELECT user_id, id, row_number() OVER (PARTITION BY user_id ORDER BY total DESC, id) AS rn FROM orders) AS t WHERE rn <= 3;
SELECT user_id, id FROM (SELECT user_id, id, row_number() OVER (PARTITION BY user_id ORDER BY total DESC, id) AS rn FROM orders) AS t WHERE rn < 4;
WITH ranked AS (SELECT *, rank() OVER (PARTITION BY user_id ORDER BY total DESC, id) AS rn FROM orders) SELECT user_id, id FROM ranked WHERE rn IN (1, 2, 3);
SELECT o.user_id, o.id FROM orders o WHERE (SELECT count(*) FROM orders x WHERE x.user_id = o.user_id AND (x.total > o.total OR (x.total = o.total AND x.id < o.id))) < 3;
SELECT user_id, id FROM (SELECT user_id, id, row_number() OVER (PARTITION BY user_id ORDER BY total, id) AS rn FROM orders) AS t WHERE rn <= 3;
SELECT user_id, id FROM (SELECT user_id, id, rank() OVER (PARTITION BY user_id ORDER BY total DESC) AS rn FROM orders) AS t WHERE rn <= 3;
SELECT user_id, id FROM (SELECT user_id, id, row_number() OVER (PARTITION BY user_id ORDER BY total DESC, id) AS rn FROM orders) AS t WHERE rn < 3;

-- orders_without_coupon: nulls
SELECT id FROM orders WHERE coalesce(coupon, '') = '';
SELECT id FROM orders WHERE coupon IS NULL OR coupon = '';
SELECT id FROM orders WHERE nullif(coupon, '') IS NULL;
SELECT id FROM orders WHERE length(coupon) = 0 OR coupon IS NULL;
SELECT id FROM orders WHERE coupon = '';
SELECT id FROM orders WHERE coupon IS NULL;
SELECT id FROM orders WHERE coalesce(trim(coupon), '') = '';

-- names_as_shown: texts
SELECT coalesce(nullif(trim(name), ''), email) AS shown FROM users;
SELECT CASE WHEN name IS NULL OR trim(name) = '' THEN email ELSE trim(name) END AS shown FROM users;
SELECT CASE WHEN trim(name) <> '' THEN trim(name) ELSE email END AS shown FROM users;
SELECT coalesce(nullif(trim(coalesce(name, '')), ''), email) AS shown FROM users;
SELECT coalesce(name, email) AS shown FROM users;
SELECT coalesce(nullif(name, ''), email) AS shown FROM users;
SELECT coalesce(trim(name), email) AS shown FROM users;

-- ten_percent_off: numbers
SELECT id, round(total * 0.9, 2) AS reduced FROM orders;
SELECT id, round(0.9 * total, 2) AS reduced FROM orders;
SELECT id, round(total - total * 0.1, 2) AS reduced FROM orders;
SELECT id, round(total * (1 - 0.1), 2) AS reduced FROM orders;
SELECT id, round(total * 0.9, 1) AS reduced FROM orders;
SELECT id, round(total * 0.09, 2) AS reduced FROM orders;
SELECT id, round(total, 2) - 0.9 AS reduced FROM orders;

-- addresses: sets
SELECT email FROM users WHERE active UNION SELECT email FROM users WHERE marketing;
SELECT email FROM users WHERE active OR marketing;
SELECT DISTINCT email FROM users WHERE active IS TRUE OR marketing IS TRUE;
SELECT email FROM users WHERE id IN (SELECT id FROM users WHERE active UNION ALL SELECT id FROM users WHERE marketing);
SELECT email FROM users WHERE active UNION ALL SELECT email FROM users WHERE marketing;
SELECT email FROM users WHERE active AND marketing;
SELECT email FROM users WHERE active INTERSECT SELECT email FROM users WHERE marketing;

-- heavy_products: json
SELECT id FROM products WHERE (attributes ->> 'weight')::decimal(18, 3) > 5;
SELECT id FROM products WHERE attributes ->> 'weight' IS NOT NULL AND (attributes ->> 'weight')::decimal(18, 3) > 5;
SELECT id FROM products WHERE NOT ((attributes ->> 'weight')::decimal(18, 3) <= 5);
WITH weights AS (SELECT id, CAST(attributes ->> 'weight' AS decimal(18, 3)) AS weight FROM products) SELECT id FROM weights WHERE weight > 5;
SELECT id FROM products WHERE (attributes ->> 'weight')::decimal(18, 3) >= 5;
SELECT id FROM products WHERE (attributes ->> 'height')::decimal(18, 3) > 5;
SELECT id FROM products WHERE (attributes ->> 'weight')::decimal(18, 3) > 5 OR attributes ->> 'weight' IS NULL;

-- sizes_in_centimetres: json
SELECT id FROM products WHERE (attributes -> 'size') ->> 'unit' = 'cm';
SELECT id FROM products WHERE attributes ->> '$.size.unit' = 'cm';
SELECT id FROM products WHERE (attributes -> 'size') ->> 'unit' = 'cm' AND (attributes -> 'size') IS NOT NULL;
SELECT id FROM (SELECT id, attributes -> 'size' AS size FROM products) AS p WHERE size ->> 'unit' = 'cm';
SELECT id FROM products WHERE attributes ->> 'unit' = 'cm';
SELECT id FROM products WHERE (attributes -> 'size') ->> 'unit' <> 'cm';
SELECT id FROM products WHERE (attributes -> 'size') ->> 'unit' = 'mm';

-- products_without_tags: arrays
SELECT id FROM products WHERE len(tags) = 0;
SELECT id FROM products WHERE NOT len(tags) <> 0;
SELECT id FROM products WHERE tags = [];
SELECT id FROM products WHERE len(tags) < 1;
SELECT id FROM products WHERE len(tags) > 0;
SELECT id FROM products WHERE tags IS NULL;
SELECT id FROM products WHERE len(tags) <= 1;

-- cheap_and_there: booleans
SELECT id FROM products WHERE NOT (price > 10 OR stock = 0);
SELECT id FROM products WHERE price <= 10 AND stock <> 0;
SELECT id FROM products WHERE (price > 10 OR stock = 0) IS FALSE;
SELECT id FROM products WHERE CASE WHEN price > 10 THEN false WHEN stock = 0 THEN false ELSE true END;
SELECT id FROM products WHERE NOT (price > 10 AND stock = 0);
SELECT id FROM products WHERE price < 10 AND stock <> 0;
SELECT id FROM products WHERE price <= 10 AND stock >= 0;

-- orders_that_can_be_sent: anti-joins
SELECT o.id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM order_items i JOIN products p ON p.id = i.product_id WHERE i.order_id = o.id AND p.stock < i.quantity);
SELECT id FROM orders WHERE id NOT IN (SELECT i.order_id FROM order_items i, products p WHERE p.id = i.product_id AND i.quantity > p.stock);
SELECT o.id FROM orders o WHERE (SELECT count(*) FROM order_items i JOIN products p ON p.id = i.product_id WHERE i.order_id = o.id AND p.stock < i.quantity) = 0;
SELECT id FROM orders EXCEPT SELECT i.order_id FROM order_items i JOIN products p ON p.id = i.product_id WHERE p.stock < i.quantity;
SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM order_items i JOIN products p ON p.id = i.product_id WHERE i.order_id = o.id AND p.stock >= i.quantity);
SELECT o.id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM order_items i JOIN products p ON p.id = i.product_id WHERE i.order_id = o.id AND p.stock <= i.quantity);
SELECT DISTINCT o.id FROM orders o JOIN order_items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id WHERE p.stock >= i.quantity;
