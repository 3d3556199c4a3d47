import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../test/buy.ts'
import { addProduct } from '../../test/goods.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { viewMember } from '../admin/members/members.contract.ts'
import type { Role } from '../kit/contract.ts'
import { addHook, listHookMessages, listHooks } from '../notifications/hooks/hooks.contract.ts'

// A change of role revokes everything that the former role granted, even if another program changes the role.

const open = openShopForTests()
const db = () => open.shop.database.db

const count = async (from: string) => {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.raw(from)}`.execute(db())
  return rows[0]!.n
}

type Granted = {
  name: string
  /** Adds one row of each kind that the role granted. */
  grant: (person: Person) => Promise<unknown>
  left: (person: Person) => string
}

const payout = async (person: Person) => {
  const seller = await open.shop.join()
  const { rows } = await sql<{
    id: string
  }>`INSERT INTO payouts (seller_id, amount_cents) VALUES (${seller.id}::uuid, 100)
    RETURNING id`.execute(db())
  await sql`INSERT INTO payout_confirmations (payout_id, act, staff_id)
    VALUES (${rows[0]!.id}::uuid, 'approved', ${person.id}::uuid)`.execute(db())
}

const GRANTED: Granted[] = [
  {
    name: 'webhooks of the shop with their log',
    grant: (person) =>
      person.call(addHook, { url: 'https://hooks.example/x', events: ['order.completed'], isForShop: true }),
    left: ({ id }) => `hook_endpoints WHERE is_for_shop AND user_id = '${id}'`,
  },
  { name: 'sessions', grant: async () => undefined, left: ({ id }) => `sessions WHERE user_id = '${id}'` },
  {
    name: 'a look at the shop as a member',
    grant: async (person) => person.call(viewMember, { id: (await open.shop.join()).id, reason: 'A report' }),
    left: ({ id }) => `sessions WHERE user_id = '${id}' AND viewed_id IS NOT NULL`,
  },
  {
    name: 'push messages to browsers',
    grant: ({ id }) =>
      sql`INSERT INTO push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
        SELECT user_id, id, 'https://push.example/' || id, 'key', 'auth' FROM sessions WHERE user_id = ${id}::uuid`.execute(
        db(),
      ),
    left: ({ id }) => `push_subscriptions WHERE user_id = '${id}'`,
  },
  {
    name: 'remembered devices',
    grant: ({ id }) =>
      sql`WITH factor AS (INSERT INTO second_factors (user_id, sealed_secret) VALUES (${id}::uuid, 'x'))
        INSERT INTO trusted_browsers (user_id, token_hash, expires_at)
        VALUES (${id}::uuid, ${`hash of ${id}`}, now() + interval '1 day')`.execute(db()),
    left: ({ id }) => `trusted_browsers WHERE user_id = '${id}'`,
  },
  {
    name: 'conversations',
    grant: async ({ id }) => {
      const customer = await open.shop.join()
      await sql`INSERT INTO chat_conversations (user_id, last_at, assignee_id)
        VALUES (${customer.id}::uuid, now(), ${id}::uuid)`.execute(db())
    },
    left: ({ id }) => `chat_conversations WHERE assignee_id = '${id}'`,
  },
  {
    name: 'reports',
    grant: async ({ id }) => {
      const { id: productId } = await addProduct(open.shop)
      await sql`INSERT INTO report_cases (product_id, taken_by) VALUES (${productId}::uuid, ${id}::uuid)`.execute(db())
    },
    left: ({ id }) => `report_cases WHERE taken_by = '${id}'`,
  },
  {
    name: 'presence in the chat',
    grant: ({ id }) => sql`INSERT INTO chat_presence (staff_id) VALUES (${id}::uuid)`.execute(db()),
    left: ({ id }) => `chat_presence WHERE staff_id = '${id}'`,
  },
  {
    name: 'decisions that wait for a second person',
    grant: payout,
    left: ({ id }) => `payout_confirmations WHERE staff_id = '${id}'`,
  },
  {
    name: 'refunds that wait for a second person',
    grant: async ({ id }) => {
      const order = await buy(open.shop, await open.shop.join(), await addProduct(open.shop))
      await sql`INSERT INTO refund_approvals (order_id, amount_cents, reason, is_code_seen, asked_by)
        VALUES (${order.id}::uuid, 100, 'broken', false, ${id}::uuid)`.execute(db())
    },
    left: ({ id }) => `refund_approvals WHERE state = 'waiting' AND asked_by = '${id}'`,
  },
]

test.each(GRANTED)('a change of role revokes $name', async ({ grant, left }) => {
  const [person, other] = [await open.shop.join({ isAdmin: true }), await open.shop.join({ isAdmin: true })]
  for (const each of [person, other]) await grant(each)
  expect(await count(left(person))).toBeGreaterThan(0)
  await open.shop.identity.createUser({ email: person.email, role: 'member' })
  expect(await count(left(person))).toBe(0)
  expect(await count(left(other))).toBeGreaterThan(0)
})

test.each(['member', 'support', 'finance'] satisfies Role[])(
  'an administrator who becomes %s receives no order events',
  async (role) => {
    const person = await open.shop.join({ isAdmin: true })
    await person.call(addHook, { url: 'https://hooks.example/x', events: ['order.completed'], isForShop: true })
    await open.shop.identity.createUser({ email: person.email, role })
    const cookie = await open.shop.identity.createSession(person.email)
    const again = { headers: { cookie } }
    expect(await open.shop.call(listHooks, {}, again)).toEqual([])
    expect(await open.shop.call(listHookMessages, {}, again)).toEqual([])
    await expect(
      open.shop.call(addHook, { url: 'https://hooks.example/x', events: ['order.completed'], isForShop: true }, again),
    ).rejects.toMatchObject({ status: 403 })
  },
)

test('a change of role by plain SQL revokes too', async () => {
  const person = await open.shop.join({ isAdmin: true })
  await payout(person)
  await sql`UPDATE users SET role = 'member' WHERE id = ${person.id}::uuid`.execute(db())
  expect(await count(`payout_confirmations WHERE staff_id = '${person.id}'`)).toBe(0)
})
