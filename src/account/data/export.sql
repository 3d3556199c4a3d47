-- The statements of each exported file. $1 is the account. paid_as(o) is the payment that completed an order.

-- account.json
SELECT email_verified, wants_news, wants_versions, wants_review_requests, wants_review_mails, wants_messages, wants_follows, mail_refused_at, mail_refusal, created_at FROM users WHERE id = $1;

-- devices.json
SELECT user_agent, ip_address, country, created_at, updated_at, expires_at FROM sessions WHERE user_id = $1
  ORDER BY created_at;

-- remembered-devices.json
SELECT created_at, expires_at FROM trusted_browsers WHERE user_id = $1 ORDER BY created_at;

-- known-devices.json
SELECT seen_at FROM known_devices WHERE user_id = $1 ORDER BY seen_at;

-- passkeys.json
SELECT name, created_at, last_used_at FROM passkeys WHERE user_id = $1 ORDER BY created_at;

-- second-factor.json
SELECT confirmed_at, (SELECT count(*)::int FROM recovery_codes c WHERE c.user_id = f.user_id)
    AS recovery_codes_left FROM second_factors f WHERE user_id = $1 AND confirmed_at IS NOT NULL;

-- sign-ins.json
SELECT provider_id AS kind, CASE WHEN provider_id <> 'credential' THEN account_id END AS known_as, created_at
  FROM accounts WHERE user_id = $1 ORDER BY created_at;

-- former-addresses.json
SELECT email FROM former_addresses WHERE user_id = $1;

-- notified-browsers.json
SELECT endpoint, created_at FROM push_subscriptions WHERE user_id = $1 ORDER BY created_at;

-- preferences.json
SELECT theme, mode, text_size, can_zoom FROM preferences WHERE user_id = $1;

-- orders.json
SELECT o.id, o.status, o.total_cents, o.payment_method, paid_as(o) AS payment_id, o.created_at, o.completed_at,
    (SELECT json_agg(json_build_object('title', l.title, 'quantity', l.quantity, 'priceCents', l.price_cents)
      ORDER BY l.position) FROM order_lines l WHERE l.order_id = o.id) AS lines,
    (SELECT json_agg(json_build_object('status', e.to_status, 'code', e.reason_code, 'reason', CASE e.to_status WHEN 'refunded' THEN e.reason END, 'at', e.created_at) ORDER BY e.id)
      FROM order_events e WHERE e.order_id = o.id) AS events
  FROM orders o WHERE o.user_id = $1 ORDER BY o.created_at;

-- payments.json
SELECT p.order_id, p.provider, p.status, p.amount_cents, p.currency, p.created_at,
    (SELECT json_agg(json_build_object('amountCents', r.amount_cents, 'reason', r.reason, 'status', r.status, 'at', r.created_at)
      ORDER BY r.created_at) FROM refunds r WHERE r.payment_id = p.id) AS refunds
  FROM payments p JOIN orders o ON o.id = p.order_id WHERE o.user_id = $1 ORDER BY p.created_at;

-- disputes.json
SELECT d.order_id, d.provider, d.state, d.reason, d.amount_cents, d.opened_at, d.ended_at FROM disputes d
  WHERE d.user_id = $1 ORDER BY d.opened_at;

-- refund-requests.json
SELECT q.order_id, l.title, q.reason, q.note, q.state, q.answer, q.created_at, q.answered_at FROM refund_requests q
  JOIN order_lines l ON l.id = q.order_line_id JOIN orders o ON o.id = q.order_id WHERE o.user_id = $1 ORDER BY q.created_at;

-- saved-payment-methods.json
SELECT provider, label, created_at FROM wallets WHERE user_id = $1 AND removed_at IS NULL
  ORDER BY created_at;

-- default-payment-method.json
SELECT provider, wallet_id IS NOT NULL AS is_saved, chosen_at FROM method_choices WHERE user_id = $1;

-- bought.json
SELECT l.order_id, l.title, e.created_at, e.revoked_at, e.archived_at, '/orders/' || l.order_id AS page,
    (SELECT json_agg(f.file_name ORDER BY f.part) FROM product_files f WHERE f.id = ANY (e.file_id || l.more_file_ids)) AS files
  FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id WHERE e.user_id = $1 ORDER BY e.created_at;

-- gifts.json
SELECT l.order_id, l.title, g.quantity, g.state, g.to_name, g.to_email, g.note, g.send_at, g.sent_at, g.claimed_at, g.created_at
  FROM gifts g JOIN order_lines l ON l.id = g.order_line_id JOIN orders o ON o.id = l.order_id
  WHERE o.user_id = $1 ORDER BY g.created_at;

-- claimed-gifts.json
SELECT m.order_id, m.title, g.quantity, g.state, g.to_name, g.note, g.claimed_at FROM gifts g
  JOIN order_lines m ON m.gift_id = g.id WHERE g.claimed_by = $1 ORDER BY g.claimed_at;

-- reported-codes.json
SELECT l.order_id, l.title, k.reason, k.note, k.state, k.words, k.created_at, k.decided_at FROM code_cases k
  JOIN order_lines l ON l.id = k.order_line_id WHERE k.user_id = $1 ORDER BY k.created_at;

-- reports-of-codes.json
SELECT l.title, k.reason, k.state, k.seller_words, k.words, k.created_at, k.decided_at FROM code_cases k
  JOIN order_lines l ON l.id = k.order_line_id WHERE k.seller_id = $1 ORDER BY k.created_at;

-- bonus.json
SELECT b.order_id, b.amount_cents, b.taken_back_cents, b.created_at, a.balance_cents FROM credit_accounts a
  LEFT JOIN credit_bonuses b ON b.user_id = a.user_id WHERE a.user_id = $1;

-- credit.json
SELECT kind, amount_cents, order_id, why, created_at FROM credit_entries WHERE user_id = $1 ORDER BY id;

-- refunded-sales.json
SELECT order_id, gross_cents, fee_cents, returned_at FROM earning_returns WHERE seller_id = $1 ORDER BY id;

-- downloads.json
SELECT kind, ip_address, created_at FROM delivery_events WHERE user_id = $1 ORDER BY id;

-- licenses.json
SELECT l.order_id, l.title, k.prefix, k.seats, k.devices_per_seat, k.expires_at, k.revoked_at, k.revoke_reason, k.created_at,
    (SELECT json_agg(json_build_object('name', d.name, 'activatedAt', d.created_at, 'seenAt', d.seen_at) ORDER BY d.created_at)
      FROM license_devices d WHERE d.license_id = k.id) AS devices
  FROM licenses k JOIN order_lines l ON l.id = k.order_line_id WHERE k.user_id = $1 ORDER BY k.created_at;

-- reviews.json
SELECT p.title AS product, r.stars, r.body, r.created_at, r.edited_at
  FROM reviews r JOIN products p ON p.id = r.product_id WHERE r.user_id = $1 ORDER BY r.created_at;

-- reports.json
SELECT p.title AS product, r.review_id, r.reason, r.note, r.created_at FROM reports r JOIN products p ON p.id = r.product_id
  WHERE r.user_id = $1 ORDER BY r.created_at;

-- take-downs.json
SELECT p.title AS product, p.taken_down AS reason, c.decision, c.decided_at, c.question, c.answer_by, c.answer, c.answered_at
FROM report_cases c
  JOIN products p ON p.id = c.product_id
  WHERE p.seller_id = $1 AND c.review_id IS NULL AND (c.decision <> 'kept' OR c.question IS NOT NULL) ORDER BY c.decided_at;

-- suspensions.json
SELECT reason, created_at, ends_at, lifted_at FROM suspensions WHERE seller_id = $1 ORDER BY created_at;

-- seller-page.json
SELECT h.handle, s.handle = h.handle AS is_present, s.bio, s.opened_at, h.taken_at FROM seller_handles h
  LEFT JOIN storefronts s ON s.user_id = h.user_id WHERE h.user_id = $1 ORDER BY h.taken_at;

-- seller-page-design.json
SELECT d.header_color, d.accent_color, d.sections, p.title AS featured, o.file_name AS header_picture, d.updated_at,
    (SELECT json_agg(json_build_object('label', k.label, 'url', k.url) ORDER BY k.position) FROM storefront_links k
      WHERE k.user_id = d.user_id) AS links
  FROM storefront_designs d LEFT JOIN products p ON p.id = d.featured_product_id
  LEFT JOIN objects o ON o.id = d.header_object_id WHERE d.user_id = $1;

-- product-imports.json
SELECT file_name, format, state, made, created_at,
    (SELECT json_agg(json_build_object('row', r.number, 'title', r.title, 'description', r.description, 'problem', r.problem)
      ORDER BY r.number) FROM product_import_rows r WHERE r.import_id = i.id) AS rows
  FROM product_imports i WHERE seller_id = $1 ORDER BY created_at;

-- imported-products.json
SELECT p.title AS product, i.key AS known_as FROM imported_products i JOIN products p ON p.id = i.product_id
  WHERE i.seller_id = $1 ORDER BY p.created_at;

-- webhooks.json
SELECT url, events, created_at, disabled_at FROM hook_endpoints WHERE user_id = $1 ORDER BY created_at;

-- decisions.json
SELECT order_id, stage, decision, country, created_at FROM risk_decisions
  WHERE user_id = $1 ORDER BY created_at;

-- holds.json
SELECT order_id, kind, state, resolved_how, created_at, ends_at, resolved_at FROM risk_holds WHERE user_id = $1
  ORDER BY created_at;

-- declined-payments.json
SELECT payment_id, created_at FROM risk_declines WHERE user_id = $1 ORDER BY created_at;

-- payment-pauses.json
SELECT reason, created_at, expires_at, lifted_at FROM risk_blocks
  WHERE kind = 'account' AND subject = $1::text ORDER BY created_at;

-- security-events.json
SELECT type, severity, description, route, user_agent, timezone, screen, received_at FROM risk_hints
  WHERE user_id = $1 ORDER BY received_at;

-- discount-codes.json
SELECT code, percent, amount_cents, is_for_all, is_first_only, starts_at, ends_at, most_uses, most_per_buyer, paused_at, uses, created_at
  FROM discounts WHERE seller_id = $1 ORDER BY created_at;

-- used-discounts.json
SELECT code, order_id, amount_cents, created_at, returned_at FROM discount_uses WHERE user_id = $1 ORDER BY created_at;

-- cart-discounts.json
SELECT d.code FROM cart_discounts c JOIN discounts d ON d.id = c.discount_id WHERE c.user_id = $1 ORDER BY d.code;

-- cart.json
SELECT p.title AS product, c.quantity, c.created_at FROM cart_items c JOIN products p ON p.id = c.product_id
  WHERE c.user_id = $1;

-- unfinished-products.json
SELECT entered, updated_at FROM unfinished_products WHERE user_id = $1 ORDER BY updated_at;

-- dispute-facts.json
SELECT d.order_id, f.body AS text, f.deliveries, f.created_at FROM dispute_facts f JOIN disputes d ON d.id = f.dispute_id
  WHERE f.seller_id = $1 ORDER BY f.created_at;

-- dispute-files.json
SELECT d.order_id, f.shows, f.file_name, f.size_bytes, f.created_at FROM dispute_files f JOIN disputes d ON d.id = f.dispute_id
  WHERE f.user_id = $1 ORDER BY f.created_at;

-- messages.json
SELECT l.title AS product, CASE WHEN m.author_id = $1 THEN 'you' ELSE 'other' END AS author, m.body AS text, m.created_at
  FROM message_threads t JOIN thread_messages m ON m.thread_id = t.id JOIN order_lines l ON l.id = m.order_line_id
  WHERE t.buyer_id = $1 OR t.seller_id = $1 ORDER BY m.created_at, m.id;

-- reported-messages.json
SELECT note, created_at, closed_at FROM thread_reports WHERE reporter_id = $1 ORDER BY created_at;

-- ended-messages.json
SELECT shown_name(u, 'A member') AS member, b.created_at FROM message_blocks b JOIN users u ON u.id = b.blocked_id WHERE b.blocker_id = $1
  ORDER BY b.created_at;

-- wishlist.json
SELECT p.title AS product, s.created_at FROM saved_products s JOIN products p ON p.id = s.product_id
  WHERE s.user_id = $1;

-- followed-sellers.json
SELECT shown_name(u, 'A seller') AS seller, f.since, f.source, f.notified_on::text AS last_notified_on
  FROM follows f JOIN users u ON u.id = f.seller_id WHERE f.user_id = $1 ORDER BY f.since, u.id;

-- code-lists.json
SELECT day, lines, of_others FROM code_lists WHERE user_id = $1 ORDER BY day;

-- awaited-products.json
SELECT p.title AS product, w.created_at FROM stock_waits w JOIN products p ON p.id = w.product_id WHERE w.user_id = $1;

-- chat.json
SELECT author, message, created_at FROM chat_messages WHERE user_id = $1 ORDER BY created_at;

-- chat-answers.json
SELECT q.message AS question, a.intent, a.sources, a.model, a.rating, a.reason, a.started_at
FROM chat_answers a JOIN chat_messages q ON q.id = a.question_id WHERE a.user_id = $1 ORDER BY a.started_at;

-- chat-scores.json
SELECT settled_at, score FROM chat_settlements WHERE user_id = $1 ORDER BY settled_at;

-- uploads.json
SELECT file_name, size_bytes, status, created_at FROM objects WHERE user_id = $1 ORDER BY created_at;

-- seller-news.json
SELECT sales, refunds, reviews, stock, updated_at FROM seller_wishes WHERE user_id = $1;

-- seller-digests.json
SELECT day::text AS day, sales, sold_cents, refunds, refunded_cents, reviews, low FROM seller_digests WHERE user_id = $1;

-- sales-days.json
SELECT day::text AS day, orders, sales, refunds, gross_cents, fee_cents, returned_cents, views FROM sales_days
  WHERE seller_id = $1 AND kind = 'all' ORDER BY day;

-- sales.json
SELECT l.title, l.quantity, l.price_cents, l.discount_cents, o.status, e.earned_at, e.available_at, e.gross_cents,
    e.fee_cents, e.returned_cents, e.returned_fee_cents
  FROM earnings e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = e.order_id
  WHERE e.seller_id = $1 ORDER BY e.earned_at;

-- products.json
SELECT id, title, description, price_cents, category_id, is_active, created_at,
    (SELECT n.published_at FROM publications n WHERE n.product_id = p.id) AS published_at
  FROM products p WHERE seller_id = $1 ORDER BY created_at;

-- mails.json
SELECT subject, created_at, sent_at FROM mails WHERE recipient = (SELECT email FROM users WHERE id = $1)
  ORDER BY created_at;

-- payouts.json
SELECT amount_cents, state, label, reason, created_at, approved_at, ended_at FROM payouts WHERE seller_id = $1 ORDER BY created_at, id;

-- payout-details.json
SELECT method, label, schedule, changed_at, waits_until, rejection FROM payout_details WHERE user_id = $1;

-- invoices.json
SELECT i.label, i.kind, i.total_cents, i.issued_at, i.data FROM invoices i JOIN orders o ON o.id = i.order_id
  WHERE o.user_id = $1 ORDER BY i.issued_at, i.label;

-- invoice-details.json
SELECT company, address, vat_id, is_attached, updated_at FROM invoice_details WHERE user_id = $1;

-- lessons.json
SELECT l.title AS course, c.title AS lesson, p.opened_at, p.done_at FROM lesson_progress p
  JOIN course_parts c ON c.id = p.lesson_id JOIN order_lines l ON l.id = p.order_line_id
  WHERE p.user_id = $1 ORDER BY p.opened_at, c.id;

-- certificates.json
SELECT number, name, title, seller, lessons, completed_at FROM course_certificates WHERE user_id = $1 ORDER BY completed_at;

-- reading-places.json
SELECT l.title, f.file_name, r.place, r.share, r.moved_at FROM reading_places r
  JOIN order_lines l ON l.id = r.order_line_id JOIN product_files f ON f.id = r.file_id
  WHERE r.user_id = $1 ORDER BY r.moved_at, f.id;

-- review-requests.json
SELECT p.title AS product, q.state, q.used_at, q.asked_at FROM review_requests q JOIN products p ON p.id = q.product_id
  WHERE q.user_id = $1 ORDER BY q.used_at;

-- review-answers.json
SELECT p.title AS product, a.body AS text, a.created_at, a.edited_at, a.taken_down FROM review_answers a
  JOIN reviews r ON r.id = a.review_id JOIN products p ON p.id = r.product_id WHERE p.seller_id = $1 ORDER BY a.created_at;

-- customer-notes.json
SELECT shown_name(u, 'A buyer') AS customer, n.note, n.updated_at FROM customer_notes n JOIN users u ON u.id = n.user_id
  WHERE n.seller_id = $1 ORDER BY n.updated_at, u.id;
