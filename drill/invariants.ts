import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { toCents } from '../src/kit/money.ts'
import type { SandboxCapture } from '../sandbox/capture.contract.ts'
import { findUnfinished, findViolations as findBroken, INVARIANTS } from '../src/audit/faults.server.ts'
import { findBrokenPromises, type Observed } from './seen.ts'

// Invariants of the shop under any fault: the rules of the ledger (src/audit/), and rules about the provider, the files
// and the answers that buyers received.

export type Look = {
  seen?: Observed[]
  objectsDir?: string
  /** True once faults have ended and all jobs ran, so that no work may be unfinished. */
  isOver?: boolean
}

/**
 * Returns one sentence per violation, starting with the name of the invariant. `captures` are the captures that the
 * provider stores; null skips the rules about them.
 */
export async function findViolations(databaseUrl: string, captures: SandboxCapture[] | null, look: Look = {}) {
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
  captures: SandboxCapture[] | null,
  { seen = [], objectsDir, isOver = true }: Look = {},
): Promise<string[]> {
  const captureRows = JSON.stringify(
    captures?.map(({ id, customId, amount, refunded, currency }) => ({
      id,
      payment: customId,
      cents: toCents(amount),
      kept: toCents(amount) - toCents(refunded),
      currency,
    })),
  )
  const violations: string[] = []
  for (const rule of isOver ? [...ALWAYS, ...AT_REST] : ALWAYS) {
    const usesCaptures = /\bcaptures\b/.test(rule.text)
    if (usesCaptures && !captures) continue
    const text = `${usesCaptures ? CAPTURES : ''} ${rule.text}`
    const { rows } = await client.query<{ violation: string }>(text, usesCaptures ? [captureRows] : [])
    violations.push(...rows.map((row) => `${rule.name}: ${row.violation}`))
  }
  const broken = await findBroken(client, INVARIANTS)
  if (isOver) broken.push(...(await findUnfinished(client, { hours: 0, longHours: 0 })))
  violations.push(...broken.map(({ rule, violation }) => `${rule}: ${violation}`))
  violations.push(...(await findBrokenPromises(client, seen)))
  if (objectsDir) violations.push(...(await findDamagedFiles(client, objectsDir)))
  return violations
}

/** `text` is a query that returns one sentence per violation. */
type CaptureRule = { name: string; text: string }

const CAPTURES = `WITH captures AS (
  SELECT * FROM json_to_recordset($1::json) AS capture (id text, payment text, cents bigint, kept bigint, currency text))`

const ALWAYS: CaptureRule[] = [
  {
    name: 'INV1',
    text: `SELECT format('order %s is completed without a captured payment of its total and currency', o.id) AS violation
      FROM orders o WHERE o.status = 'completed' AND o.total_cents > 0 AND NOT EXISTS (
        SELECT FROM payments p LEFT JOIN captures c ON c.id = p.provider_capture_id AND c.payment = p.id::text
        WHERE p.order_id = o.id AND p.status IN ('captured', 'part_refunded') AND p.currency = o.currency AND (
          (o.credit_cents < o.total_cents AND p.amount_cents = o.total_cents - o.credit_cents
            AND (c.cents, c.currency) = (p.amount_cents, o.currency))
          OR (p.provider = 'store credit' AND p.amount_cents = o.total_cents AND o.credit_cents = o.total_cents)))`,
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
    name: 'INV11',
    text: `SELECT format('file %s has no stored bytes of its size and hash', f.id) AS violation
      FROM product_files f JOIN objects o ON o.id = f.object_id
      WHERE o.stored_at IS NULL OR (o.size_bytes, o.sha256) IS DISTINCT FROM (f.size_bytes, f.sha256)`,
  },
]

const AT_REST: CaptureRule[] = [
  {
    name: 'INV2',
    text: `SELECT format('%s cents of capture %s are kept, and its order is %s', c.kept, c.id, coalesce(o.status, 'unknown')) AS violation
      FROM captures c LEFT JOIN payments p ON p.id::text = c.payment LEFT JOIN orders o ON o.id = p.order_id
      WHERE c.kept > 0 AND o.status IS DISTINCT FROM 'completed'
    UNION ALL
      SELECT format('capture %s is kept, and its payment is %s and not given back', c.id, p.status)
      FROM captures c JOIN payments p ON p.id::text = c.payment
      WHERE c.kept > 0 AND p.status IN ('expired', 'canceled', 'failed')
        AND NOT EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id)`,
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
    name: 'LEDGER',
    text: `SELECT format('the ledger says that the provider holds %s cents, and it holds %s', here, there) AS violation
      FROM (SELECT (SELECT coalesce(sum(kept), 0) FROM captures) AS there,
        (SELECT coalesce(sum(amount_cents), 0) FROM ledger_entries WHERE account ~ '^(provider|costs):' OR account = 'disputed') AS here) sums
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
