import { expect, onTestFinished, test } from 'vitest'
import { buy } from '../../test/buy.ts'
import { addProduct } from '../../test/goods.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { sendChat } from '../support/chat/chat.contract.ts'
import { answerCustomer, settleConversation } from '../support/inbox/inbox.contract.ts'
import { refundOrder } from '../aftersale/refunds/refund.server.ts'
import { listAudit } from '../identity/audit/audit.contract.ts'
import { recordAct } from '../identity/audit/audit.server.ts'
import { inTransaction } from '../kit/database.server.ts'
import { sendTestEvent } from '../providers/integrations.contract.ts'

const open = openShopForTests()
const joinStaff = () => open.shop.join({ isAdmin: true })
const actsOf = async (staff: Person, about: string) =>
  (await staff.call(listAudit, { q: about })).map(({ act, actor, details }) => ({ act, actor, details }))

test('records an answer, a resolved conversation and a test webhook with their author', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const { id: messageId } = await ada.call(sendChat, { message: 'Lorem ipsum' })
  const answer = await staff.call(answerCustomer, { userId: ada.id, message: 'Dolor' })
  await staff.call(settleConversation, { userId: ada.id, messageId })
  expect(await actsOf(staff, ada.email)).toEqual([
    { act: 'support.settled', actor: staff.email, details: {} },
    { act: 'support.answered', actor: staff.email, details: { message: answer.id } },
    { act: 'account.added', actor: null, details: { role: 'member' } },
  ])
  await staff.call(sendTestEvent, {}).catch(() => undefined)
  expect((await staff.call(listAudit, { kind: 'payment' }))[0]).toMatchObject({ actor: staff.email, subject: null })
})

test('writes a refund and its audit row together or not at all', async () => {
  const [buyer, staff] = [await open.shop.join(), await joinStaff()]
  const order = await buy(open.shop, buyer, await addProduct(open.shop))
  await refundOrder(open.shop.checkout, order.id, 'damaged', 250, { actorId: staff.id })
  await expect(
    refundOrder(open.shop.checkout, order.id, 'too much', 99_999, { actorId: staff.id }),
  ).rejects.toMatchObject({
    status: 409,
  })
  expect(await actsOf(staff, order.id)).toEqual([
    {
      act: 'order.refunded',
      actor: staff.email,
      details: { amount: '$2.50', reason: 'damaged', refund: expect.any(String) as string },
    },
  ])
})

test.each(['refunds', 'audit'])('rolls both back when the write to %s fails last', async (table) => {
  const [buyer, staff] = [await open.shop.join(), await joinStaff()]
  const { pool } = open.shop.database
  const order = await buy(open.shop, buyer, await addProduct(open.shop))
  await open.shop.asOwner(`CREATE FUNCTION fail_late() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''at the very end''; END'`)
  await open.shop.asOwner(`CREATE CONSTRAINT TRIGGER late AFTER INSERT ON ${table}
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail_late()`)
  onTestFinished(() => open.shop.asOwner('DROP FUNCTION fail_late CASCADE'))
  const asked = refundOrder(open.shop.checkout, order.id, 'damaged', 250, { actorId: staff.id })
  await expect(asked).rejects.toThrow('at the very end')
  expect(await actsOf(staff, order.id)).toEqual([])
  const refunds = 'SELECT FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE p.order_id = $1'
  expect((await pool.query(refunds, [order.id])).rowCount).toBe(0)
})

test("ends a member's sessions and records the change when their role changes", async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const isSignedIn = async () =>
    (await fetch(`${open.shop.url}/api/auth/user`, { headers: { cookie: ada.cookie } })).status === 200
  expect(await isSignedIn()).toBe(true)
  await open.shop.identity.createUser({ email: ada.email, isAdmin: true })
  await expect.poll(isSignedIn).toBe(false)
  await open.shop.identity.createUser({ email: ada.email, isAdmin: true })
  expect((await actsOf(staff, ada.id)).map(({ act }) => act)).toEqual(['account.role', 'account.added'])
})

test('rejects changes, deletions and truncation of audit rows', async () => {
  const staff = await joinStaff()
  for (const text of ["UPDATE audit SET act = 'order.refunded'", 'DELETE FROM audit', 'TRUNCATE audit'])
    await expect(open.shop.asOwner(text)).rejects.toThrow('audit is append only')
  expect((await actsOf(staff, staff.email)).length).toBe(1)
})

test('pages through the log and filters it by kind, account and id', async () => {
  const staff = await joinStaff()
  await inTransaction(open.shop.database.db, async (tx) => {
    for (let i = 0; i < 5; i++)
      await recordAct(tx, { actorId: staff.id, act: 'order.refunded', subjectId: `order ${i}` })
  })
  const read = async (path: string) => {
    const response = await fetch(open.shop.url + path, { headers: { cookie: staff.cookie } })
    const entries = (await response.json()) as { act: string; subject: { id: string } }[]
    return { ids: entries.map(({ subject }) => subject.id), next: response.headers.get('link')?.match(/<(.+)>/)?.[1] }
  }
  const seen: string[] = []
  const q = encodeURIComponent(staff.email)
  for (let path: string | undefined = `/api/admin/audit?kind=order&q=${q}&limit=2`; path;) {
    const page = await read(path)
    seen.push(...page.ids)
    path = page.next
  }
  expect(seen).toEqual(['order 4', 'order 3', 'order 2', 'order 1', 'order 0'])
  expect((await read('/api/admin/audit?q=order+3')).ids).toEqual(['order 3'])
  expect((await read('/api/admin/audit?q=nobody%40example.com')).ids).toEqual([])
  for (const query of ['kind=everything', 'after=x', 'limit=101', 'limit=0', 'q=%00'])
    expect(
      (await fetch(`${open.shop.url}/api/admin/audit?${query}`, { headers: { cookie: staff.cookie } })).status,
    ).toBe(400)
})
