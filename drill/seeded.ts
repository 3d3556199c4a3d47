import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Twelve defects that a payment system must not have. Each one is planted in a copy of the sources, and one small test
// must then fail.

export type Seeded = {
  defect: string
  file: string
  /** Each `from` occurs once in the file. */
  edits: [from: string, to: string][]
  test: string
  name: string
}

const CHECKOUT = 'src/checkout/checkout.test.ts'
const WEBHOOKS = 'src/payments/webhooks.test.ts'
const DELIVERY = 'src/delivery/delivery.test.ts'

export const SEEDED: Seeded[] = [
  {
    defect: 'no lock on codes',
    file: 'src/delivery/codes/codes.store.server.ts',
    edits: [['      .forUpdate()\n      .skipLocked()\n', '']],
    test: 'drill/races.test.ts',
    name: 'does not block a buyer behind another who takes a code',
  },
  {
    defect: 'capture before reserve',
    file: 'src/checkout/pay.server.ts',
    edits: [['if (!(await reserveGoods(tx, paymentId, await linesOf(tx, orderId)))) throw SOLD_OUT', '']],
    test: CHECKOUT,
    name: 'sells the last code once',
  },
  {
    defect: 'no idempotency key',
    file: 'src/checkout/place.server.ts',
    edits: [
      [
        'const known = await findPlaced(tx, userId, key)',
        'const known = await findPlaced(tx, userId, crypto.randomUUID())',
      ],
      ['checkoutKey: placing.key,', 'checkoutKey: crypto.randomUUID(),'],
    ],
    test: CHECKOUT,
    name: 'rejects a key with another request and separates the keys of two buyers',
  },
  {
    defect: 'key not scoped to its user',
    file: 'migrations/08_orders.sql',
    edits: [['user_id = buyer AND checkout_key = wanted_key', 'checkout_key = wanted_key']],
    test: CHECKOUT,
    name: 'rejects a key with another request and separates the keys of two buyers',
  },
  {
    defect: 'client price trusted',
    file: 'src/checkout/place.rules.ts',
    edits: [
      [
        'cents: askedCents(product, priceCents)',
        'cents: seen.lines?.find((one) => one.productId === productId)?.priceCents ?? askedCents(product, priceCents)',
      ],
    ],
    test: CHECKOUT,
    name: 'compares the client’s price and total and never uses them',
  },
  {
    defect: 'webhook signature not checked',
    file: 'src/providers/paypal/paypal.server.ts',
    edits: [['if (!head || !(await isGenuine(request))) return', 'if (!head) return']],
    test: WEBHOOKS,
    name: 'rejects a forged event and stores nothing',
  },
  {
    defect: 'webhook not deduplicated',
    file: 'src/payments/webhooks.server.ts',
    edits: [['eventId: id, eventType', 'eventId: `${id} ${Math.random()}`, eventType']],
    test: WEBHOOKS,
    name: 'processes an event once that arrives three times at once',
  },
  {
    defect: 'owner missing in one WHERE',
    file: 'src/delivery/gate.sql',
    edits: [[' AND o.user_id = :userId AND o.status', ' AND o.status']],
    test: 'src/app/others.test.ts',
    name: 'denies reading, changing or deleting objects of other members',
  },
  {
    defect: 'cart cleared before commit',
    file: 'src/cart/cart.store.server.ts',
    edits: [
      [
        'takeLines(tx, { userId })\n',
        "takeLines(tx, { userId })\n  await tx.executeQuery({ sql: 'COMMIT', parameters: [] } as never)\n",
      ],
    ],
    test: CHECKOUT,
    name: 'rejects a stale price before money moves and keeps the cart',
  },
  {
    defect: 'float money',
    file: 'src/kit/money.ts',
    edits: [
      [
        "return Number(whole) * 100 + Number(part.padEnd(2, '0') || '0')",
        "return Number(`${whole}.${part || '0'}`) * 100",
      ],
    ],
    test: 'src/kit/money.test.ts',
    name: '',
  },
  {
    defect: 'download without a check of the status',
    file: 'src/delivery/gate.sql',
    edits: [
      [" AND o.status = 'completed'", ''],
      ['e.revoked_at IS NULL OR', 'true OR'],
    ],
    test: DELIVERY,
    name: 'delivers nothing of an order that is',
  },
  {
    defect: 'session kept after logout',
    file: 'src/identity/sessions/session.store.server.ts',
    edits: [
      [
        "await db.deleteFrom('sessions').where('tokenHash', '=', hashToken(token)).execute()",
        "await db.deleteFrom('sessions').where('tokenHash', '=', token).execute()",
      ],
    ],
    test: 'src/identity/sessions/session.store.server.test.ts',
    name: 'sign-out deletes the session, and every node knows within a second',
  },
]

const ROOT = join(import.meta.dirname, '..')

/** Returns the file with the defect. Throws unless each text to replace occurs exactly once. */
export function plant({ file, edits }: Seeded, text = readFileSync(join(ROOT, file), 'utf8')): string {
  for (const [from, to] of edits) {
    if (text.split(from).length !== 2) throw new Error(`${file} does not hold this once: ${from}`)
    text = text.replace(from, () => to)
  }
  return text
}

const PARTS =
  'src test drill sandbox migrations scripts demo bench e2e docs package.json package-lock.json tsconfig.base.json vitest.config.ts'
const LIMIT_MS = 400_000

export async function runSeeded(seeded = SEEDED): Promise<{ caught: number; wrong: string[] }> {
  const copy = mkdtempSync(join(tmpdir(), 'primo-seeded-'))
  const wrong: string[] = []
  let caught = 0
  try {
    for (const part of PARTS.split(' ')) cpSync(join(ROOT, part), join(copy, part), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    for (const one of seeded) {
      const { defect, file, test, name } = one
      const whole = readFileSync(join(copy, file), 'utf8')
      if ((await passes(copy, test, name)) !== true) wrong.push(`${test} fails without a defect: ${name}`)
      writeFileSync(join(copy, file), plant(one, whole))
      if ((await passes(copy, test, name)) === false) caught++
      else wrong.push(`${defect}: ${test} did not notice`)
      writeFileSync(join(copy, file), whole)
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  return { caught, wrong }
}

/** Null if the run timed out or started no test. */
function passes(folder: string, test: string, name: string): Promise<boolean | null> {
  const args = ['scripts/run.mjs', 'node_modules/vitest/vitest.mjs', 'run', test, ...(name ? ['-t', name] : [])]
  return new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: folder, timeout: LIMIT_MS, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    child.stdout.on('data', (chunk) => (text += String(chunk)))
    child.stderr.on('data', (chunk) => (text += String(chunk)))
    child.once('close', () => {
      const failed = /Tests .*?(\d+) failed/.test(text)
      done(failed ? false : /Tests .*?(\d+) passed/.test(text) ? true : null)
    })
  })
}
