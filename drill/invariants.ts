import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { toCents } from '../src/kit/money.ts'
import type { SandboxCapture } from '../sandbox/capture.contract.ts'
import { CREDIT_RULES } from './creditRules.ts'
import { DISCOUNT_RULES } from './discountRules.ts'
import { EARNING_RULES } from './earningRules.ts'
import type { Rule } from './rule.ts'
import { findBrokenPromises, type Seen } from './seen.ts'

// The invariants of the shop under any fault. Each rule is a query that returns its violations as sentences.

export type Look = {
  /** What the shoppers saw. */
  seen?: Seen[]
  /** DATA_DIR/objects, to compare stored files with their rows. */
  objectsDir?: string
  /** True once faults have ended and all jobs ran, so that no work may be unfinished. */
  isOver?: boolean
}

/** Returns one sentence per violation, starting with the name of the invariant. */
export async function findViolations(databaseUrl: string, captures: SandboxCapture[], look: Look = {}) {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'primo drill' })
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return await findViolationsOn(client, captures, look)
  } finally {
    await client.end()
  }
}

export async function findViolationsOn(
  client: pg.Client,
  captures: SandboxCapture[],
  { seen = [], objectsDir, isOver = true }: Look = {},
): Promise<string[]> {
  const captureRows = JSON.stringify(
    captures.map(({ id, customId, amount, refunded, currency }) => ({
      id,
      payment: customId,
      cents: toCents(amount),
      kept: toCents(amount) - toCents(refunded),
      currency,
    })),
  )
  const violations: string[] = []
  const always = [...ALWAYS, ...CREDIT_RULES, ...EARNING_RULES, ...DISCOUNT_RULES]
  for (const rule of isOver ? [...always, ...AT_REST] : always) {
    const usesCaptures = /\bcaptures\b/.test(rule.text)
    const text = `${usesCaptures ? CAPTURES : ''} ${rule.text}`
    const { rows } = await client.query<{ violation: string }>(text, usesCaptures ? [captureRows] : [])
    violations.push(...rows.map((row) => `${rule.name}: ${row.violation}`))
  }
  violations.push(...(await findBrokenPromises(client, seen)))
  if (objectsDir) violations.push(...(await findDamagedFiles(client, objectsDir)))
  return violations
}

const CAPTURES = `WITH captures AS (
  SELECT * FROM json_to_recordset($1::json) AS capture (id text, payment text, cents bigint, kept bigint, currency text))`

const ALWAYS: Rule[] = [
  {
    name: 'INV1',
    text: `SELECT format('order %s is completed without a captured payment of its total and currency', o.id) AS violation
      FROM orders o WHERE o.status = 'completed' AND NOT EXISTS (
        SELECT FROM payments p LEFT JOIN captures c ON c.id = p.provider_capture_id AND c.payment = p.id::text
        WHERE p.order_id = o.id AND p.status IN ('captured', 'part_refunded') AND p.currency = o.currency AND (
          (o.credit_cents < o.total_cents AND p.amount_cents = o.total_cents - o.credit_cents
            AND (c.cents, c.currency) = (p.amount_cents, o.currency))
          OR (p.provider = 'store credit' AND p.amount_cents = o.total_cents AND o.credit_cents = o.total_cents)))`,
  },
  {
    name: 'INV3',
    text: `SELECT format('a line of the %s order %s is delivered', o.status, o.id) AS violation
      FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = l.order_id
      WHERE e.revoked_at IS NULL AND o.status <> 'completed'
    UNION ALL
      SELECT format('a line of order %s is delivered to another customer', o.id)
      FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = l.order_id
      WHERE e.user_id <> o.user_id
    UNION ALL
      SELECT format('code %s is sold on the %s order %s', c.id, o.status, o.id)
      FROM codes c JOIN order_lines l ON l.id = c.order_line_id JOIN orders o ON o.id = l.order_id
      WHERE c.state = 'sold' AND o.status <> 'completed'
    UNION ALL
      SELECT format('code %s is held by a payment of one order for a line of another', c.id)
      FROM codes c JOIN order_lines l ON l.id = c.order_line_id JOIN payments p ON p.id = c.payment_id
      WHERE p.order_id <> l.order_id OR c.product_id <> l.product_id
    UNION ALL
      SELECT format('the same code of product %s is sold %s times', product_id, count(*))
      FROM codes WHERE state = 'sold' GROUP BY product_id, fingerprint HAVING count(*) > 1
    UNION ALL
      SELECT format('order %s is owed %s codes and has %s', o.id, l.quantity, count(c.id))
      FROM orders o JOIN order_lines l ON l.order_id = o.id AND l.delivery = 'code'
      LEFT JOIN codes c ON c.order_line_id = l.id AND c.state = 'sold'
      WHERE o.status = 'completed' GROUP BY o.id, l.id HAVING count(c.id) <> l.quantity`,
  },
  {
    name: 'INV5',
    text: `SELECT format('payment %s was captured %s times', payment, count(*)) AS violation
      FROM captures GROUP BY payment HAVING count(*) > 1
    UNION ALL
      SELECT format('order %s was paid %s times and nothing was given back', p.order_id, count(*))
      FROM captures c JOIN payments p ON p.id::text = c.payment WHERE c.kept > 0 AND p.status <> 'mismatched'
      GROUP BY p.order_id HAVING count(*) > 1
    UNION ALL
      SELECT format('customer %s has %s orders of the key %s', user_id, count(*), checkout_key)
      FROM orders GROUP BY user_id, checkout_key HAVING count(*) > 1`,
  },
  {
    name: 'INV7',
    text: `SELECT format('order %s of %s cents has lines of %s cents', o.id, o.total_cents, coalesce(sum(l.price_cents * l.quantity - l.discount_cents), 0)) AS violation
      FROM orders o LEFT JOIN order_lines l ON l.order_id = o.id
      GROUP BY o.id HAVING o.total_cents <> coalesce(sum(l.price_cents * l.quantity - l.discount_cents), 0)
    UNION ALL
      SELECT format('a payment of %s cents is for an order of %s cents', p.amount_cents, o.total_cents)
      FROM payments p JOIN orders o ON o.id = p.order_id
      WHERE p.amount_cents <> CASE p.provider WHEN 'store credit' THEN o.credit_cents ELSE o.total_cents - o.credit_cents END`,
  },
  {
    name: 'INV10',
    text: `SELECT format('order %s went from %s to %s when it was %s', order_id, coalesce(from_status, 'nothing'), to_status, coalesce(before, 'nothing')) AS violation
      FROM (SELECT *, lag(to_status) OVER (PARTITION BY order_id ORDER BY id) AS before FROM order_events) step
      WHERE from_status IS DISTINCT FROM before OR (coalesce(from_status, ''), to_status) NOT IN
        (('', 'pending'), ('pending', 'completed'), ('pending', 'failed'), ('failed', 'failed'), ('failed', 'completed'), ('completed', 'refunded'))
    UNION ALL
      SELECT format('order %s is %s, and its last event says %s', o.id, o.status, coalesce(last.to_status, 'nothing'))
      FROM orders o
      LEFT JOIN LATERAL (SELECT to_status FROM order_events v WHERE v.order_id = o.id ORDER BY id DESC LIMIT 1) last ON true
      WHERE last.to_status IS DISTINCT FROM o.status
    UNION ALL
      SELECT format('order %s came back from failed without a capture', v.order_id)
      FROM order_events v WHERE v.from_status = 'failed' AND v.to_status = 'completed' AND NOT EXISTS (
        SELECT FROM payments p WHERE p.order_id = v.order_id AND p.status IN ('captured', 'refunded', 'part_refunded'))`,
  },
  {
    name: 'HOLD',
    text: `SELECT format('the money of order %s waits for a decision, and its payment is %s', h.order_id, p.status) AS violation
      FROM risk_holds h JOIN payments p ON p.id = h.payment_id
      WHERE h.kind = 'hold' AND h.state = 'open' AND p.status <> 'capturing'
    UNION ALL
      SELECT format('the ledger has %s cents of payment %s under review, and the payment is %s', -coalesce(l.cents, 0), p.id, p.status)
      FROM payments p
      LEFT JOIN (SELECT payment_id, sum(amount_cents) AS cents FROM ledger_entries WHERE account = 'review' GROUP BY 1) l ON l.payment_id = p.id
      WHERE -coalesce(l.cents, 0) <> CASE WHEN p.status = 'capturing' AND p.provider_capture_id IS NOT NULL THEN p.amount_cents ELSE 0 END`,
  },
  {
    name: 'INV11',
    text: `SELECT format('file %s has no stored bytes of its size and hash', f.id) AS violation
      FROM product_files f JOIN objects o ON o.id = f.object_id
      WHERE o.stored_at IS NULL OR (o.size_bytes, o.sha256) IS DISTINCT FROM (f.size_bytes, f.sha256)`,
  },
  {
    name: 'LEDGER',
    text: `SELECT format('all entries come to %s cents instead of 0', sum(amount_cents)) AS violation
      FROM ledger_entries HAVING sum(amount_cents) <> 0
    UNION ALL
      SELECT format('transfer %s comes to %s cents instead of 0', transfer_id, sum(amount_cents))
      FROM ledger_entries GROUP BY transfer_id HAVING sum(amount_cents) <> 0`,
  },
]

const AT_REST: Rule[] = [
  {
    name: 'INV2',
    text: `SELECT format('%s cents of capture %s are kept, and its order is %s', c.kept, c.id, coalesce(o.status, 'unknown')) AS violation
      FROM captures c LEFT JOIN payments p ON p.id::text = c.payment LEFT JOIN orders o ON o.id = p.order_id
      WHERE c.kept > 0 AND o.status IS DISTINCT FROM 'completed'
    UNION ALL
      SELECT format('capture %s is kept, and its payment is %s and not given back', c.id, p.status)
      FROM captures c JOIN payments p ON p.id::text = c.payment
      WHERE c.kept > 0 AND p.status IN ('expired', 'canceled', 'failed')
        AND NOT EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id)
    UNION ALL
      SELECT format('a payment of the %s order %s is captured', o.status, o.id)
      FROM payments p JOIN orders o ON o.id = p.order_id
      WHERE p.status IN ('captured', 'part_refunded') AND o.status <> 'completed'
    UNION ALL
      SELECT format('a line of the completed order %s is not delivered', o.id)
      FROM orders o JOIN order_lines l ON l.order_id = o.id
      LEFT JOIN entitlements e ON e.order_line_id = l.id AND e.revoked_at IS NULL
      WHERE o.status = 'completed' AND e.id IS NULL`,
  },
  {
    name: 'INV4',
    text: `SELECT format('the provider keeps %s cents and completed orders come to %s', there, here) AS violation
      FROM (SELECT (SELECT coalesce(sum(kept), 0) FROM captures) AS there,
        (SELECT coalesce(sum(o.total_cents - o.credit_cents), 0) FROM orders o WHERE o.status = 'completed')
        - (SELECT coalesce(sum(r.amount_cents), 0) FROM refunds r JOIN payments p ON p.id = r.payment_id
            JOIN orders o ON o.id = p.order_id
            WHERE r.status = 'completed' AND o.status = 'completed' AND p.status <> 'mismatched'
              AND p.provider <> 'store credit') AS here) sums
      WHERE there <> here`,
  },
  {
    name: 'INV8',
    text: `SELECT format('order %s is pending past its time', id) AS violation
      FROM orders WHERE status = 'pending' AND expires_at < now()
    UNION ALL
      SELECT format('code %s is held by a payment that is %s', c.id, p.status)
      FROM codes c JOIN payments p ON p.id = c.payment_id WHERE c.state = 'held' AND p.status <> 'capturing'
    UNION ALL
      SELECT format('payment %s is still capturing', id) FROM payments WHERE status = 'capturing'
    UNION ALL
      SELECT format('refund %s is still not made', id) FROM refunds WHERE status = 'requested'`,
  },
  {
    name: 'LEDGER',
    text: `SELECT format('the ledger says that the provider holds %s cents, and it holds %s', here, there) AS violation
      FROM (SELECT (SELECT coalesce(sum(kept), 0) FROM captures) AS there,
        (SELECT coalesce(sum(amount_cents), 0) FROM ledger_entries WHERE account LIKE 'provider:%') AS here) sums
      WHERE there <> here`,
  },
]

async function findDamagedFiles(client: pg.Client, objectsDir: string): Promise<string[]> {
  const { rows } = await client.query<{ object_id: string; sha256: string }>(
    'SELECT object_id, sha256 FROM product_files',
  )
  const violations: string[] = []
  for (const { object_id: id, sha256 } of rows) {
    const bytes = await readFile(join(objectsDir, id)).catch(() => null)
    const isSame = bytes !== null && createHash('sha256').update(bytes).digest('hex') === sha256
    if (!isSame) violations.push(`INV11: the bytes of object ${id} are ${bytes ? 'other than its hash' : 'gone'}`)
  }
  return violations
}
