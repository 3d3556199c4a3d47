import { expect, test } from 'vitest'
import { mailedText } from '../../../test/mail.ts'
import { openShopForTests, type Person, SECRET } from '../../../test/shop.ts'
import { seeAs, withCookieOf } from '../../../test/view.ts'
import { addToCart } from '../../cart/cart.contract.ts'
import { listAudit } from '../../identity/audit/audit.contract.ts'
import { getCurrentUser } from '../../identity/identity.contract.ts'
import { signingKey } from '../../identity/identity.server.ts'
import { createCookies } from '../../identity/sessions/cookies.server.ts'
import { listSessions } from '../../identity/sessions/session.contract.ts'
import { watchSessions } from '../../identity/sessions/session.store.server.ts'
import { END_VIEW_LINE } from '../../identity/viewing/staffView.ts'
import type { Bus } from '../../kit/bus.server.ts'
import { getChat, getChatStatus, sendChat } from '../../support/chat/chat.contract.ts'
import { answerCustomer } from '../../support/inbox/inbox.contract.ts'
import { readMember, viewMember } from './members.contract.ts'

const open = openShopForTests()
const joinStaff = () => open.shop.join({ role: 'support', firstName: 'Sam' })
const whoIs = async (person: Person) => (await person.call(getCurrentUser, {})).id
const SUBJECT = 'A member of staff looked at your account'

async function view(staff: Person, member: Person) {
  const viewer = await seeAs(staff, member)
  expect(await whoIs(viewer)).toBe(member.id)
  return viewer
}

const end = (person: Person) =>
  fetch(open.shop.url + END_VIEW_LINE.slice('POST '.length), {
    method: 'POST',
    headers: { cookie: person.cookie, 'content-type': 'application/x-www-form-urlencoded' },
    redirect: 'manual',
  })

const actsAbout = async ({ id }: Person) => {
  const admin = await open.shop.join({ isAdmin: true })
  const acts = await admin.call(listAudit, { q: id, kind: 'account' })
  return acts.filter(({ act }) => act.startsWith('account.view'))
}

test('shows staff the shop as a member, read only, until they end it', async () => {
  const [ada, staff] = [await open.shop.join({ firstName: 'Ada' }), await joinStaff()]
  const sessions = await ada.call(listSessions, {})
  const viewer = await view(staff, ada)
  const { until } = viewer
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(14 * 60_000)
  expect(Date.parse(until) - Date.now()).toBeLessThan(16 * 60_000)
  expect(await viewer.call(getCurrentUser, {})).toMatchObject({
    ...{ email: ada.email, firstName: 'Ada', role: 'member' },
    view: { endsAt: until },
  })
  expect(await ada.call(listSessions, {})).toEqual(sessions)
  await expect(viewer.call(addToCart, { productId: crypto.randomUUID(), quantity: 1 })).rejects.toMatchObject({
    ...{ status: 409, code: 'viewing' },
    details: { message: 'You see the shop as this member. Nothing can be changed or opened.' },
  })
  await expect(viewer.call(readMember, { id: ada.id })).rejects.toMatchObject({ code: 'viewing' })
  const reply = await fetch(`${open.shop.url}/api/cart`, { headers: { cookie: viewer.cookie } })
  // no browser stores the data of the member
  expect([reply.status, reply.headers.get('x-member')]).toEqual([200, null])

  const ended = await end(viewer)
  expect([ended.status, ended.headers.get('location')]).toEqual([303, `/admin/members/${ada.id}`])
  const back = withCookieOf(staff, ended)
  expect(await back.call(getCurrentUser, {})).toMatchObject({ id: staff.id, role: 'support' })
  expect(await back.call(getCurrentUser, {})).not.toHaveProperty('view')
  expect((await back.call(readMember, { id: ada.id })).id).toBe(ada.id)
  expect((await end(back)).headers.get('location')).toBe('/')
})

test('records the start with its reason and the end of a view, and notifies the member', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const viewer = await view(staff, ada)
  const { until } = viewer
  await end(viewer)
  expect(await actsAbout(ada)).toMatchObject([
    { act: 'account.view_ended', actor: staff.email, details: { at: expect.any(String) as string, until } },
    { act: 'account.viewed', actor: staff.email, details: { reason: 'A report', until } },
  ])
  const mail = await mailedText(open.shop, ada.email, SUBJECT)
  expect(mail).toContain('A member of staff looked at your account on')
  expect(mail).toContain('Reason: A report')
})

test('the view of a chat leaves an answer of staff unread', async () => {
  const [ada, staff, colleague] = [await open.shop.join(), await joinStaff(), await joinStaff()]
  await ada.call(sendChat, { message: 'Lorem ipsum' })
  await colleague.call(answerCustomer, { userId: ada.id, message: 'Dolor sit amet' })
  const viewer = await view(staff, ada)
  expect((await viewer.call(getChat, {})).map(({ message }) => message)).toContain('Dolor sit amet')
  expect((await ada.call(getChatStatus, {})).hasReply).toBe(true)
})

test('refuses members and finance, the own account, unknown members and a view without a reason', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const reason = 'A report'
  for (const person of [await open.shop.join(), await open.shop.join({ role: 'finance' })])
    await expect(person.call(viewMember, { id: ada.id, reason })).rejects.toMatchObject({ status: 403 })
  await expect(staff.call(viewMember, { id: staff.id, reason })).rejects.toMatchObject({ code: 'own_account' })
  await expect(staff.call(viewMember, { id: crypto.randomUUID(), reason })).rejects.toMatchObject({ status: 404 })
  await expect(staff.call(viewMember, { id: ada.id, reason: ' ' })).rejects.toMatchObject({ status: 400 })
  expect(await whoIs(staff)).toBe(staff.id)
  expect(await actsAbout(ada)).toEqual([])
})

test('only an administrator sees the shop as staff, and then without their role', async () => {
  const [support, admin] = [await joinStaff(), await open.shop.join({ isAdmin: true })]
  const staff = await open.shop.join({ isAdmin: true })
  await expect(support.call(viewMember, { id: staff.id, reason: 'A report' })).rejects.toMatchObject({
    code: 'staff_account',
  })
  const viewer = await view(admin, staff)
  expect(await viewer.call(getCurrentUser, {})).toMatchObject({ id: staff.id, role: 'member', isAdmin: false })
  await expect(viewer.call(listAudit, {})).rejects.toMatchObject({ code: 'viewing' })
})

const setView = ({ id }: Person, change: string) =>
  open.shop.database.pool.query(`UPDATE sessions SET ${change} WHERE user_id = $1`, [id])

test('a view ends after its time, and the job records the end', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const viewer = await view(staff, ada)
  await setView(staff, `view_ends_at = now() - interval '1 second'`)
  await expect.poll(() => whoIs(viewer)).toBe(staff.id)
  await open.shop.jobs.find(({ name }) => name === 'end_due_views')!.run({})
  expect((await actsAbout(ada)).map(({ act }) => act)).toEqual(['account.view_ended', 'account.viewed'])
})

test.each([
  ['the session of staff ends', 'DELETE FROM sessions WHERE user_id = $1'],
  ['staff lose their role', `UPDATE users SET role = 'member' WHERE id = $1`],
])('a view ends when %s, and the end is recorded', async (_, text) => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const viewer = await view(staff, ada)
  await open.shop.database.pool.query(text, [staff.id])
  await expect.poll(() => viewer.call(getCurrentUser, {}).catch(({ status }: { status: number }) => status)).toBe(401)
  expect((await actsAbout(ada)).map(({ act }) => act)).toEqual(['account.view_ended', 'account.viewed'])
})

test.each([
  ['the member becomes staff', `UPDATE users SET role = 'finance' WHERE id = $1`],
  ['the member is erased', 'UPDATE users SET erased_at = now() WHERE id = $1'],
])('a view of support ends when %s, and the end is recorded', async (_, text) => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const viewer = await view(staff, ada)
  await open.shop.database.pool.query(text, [ada.id])
  await expect.poll(() => whoIs(viewer)).toBe(staff.id)
  expect((await actsAbout(ada)).map(({ act }) => act)).toEqual(['account.view_ended', 'account.viewed'])
})

test('a node without the message shows the right account after the start and the end of a view', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const { database } = open.shop
  const deaf = { isUp: () => true, listen: async () => {} } as unknown as Bus
  const identify = await watchSessions(database, deaf, createCookies({ secret: signingKey(SECRET), isSecure: false }))
  const idOf = async ({ cookie }: Person) => (await identify(cookie))?.id
  expect(await idOf(staff)).toBe(staff.id)
  const viewer = await view(staff, ada)
  expect(await idOf(viewer)).toBe(ada.id)
  expect(await idOf(withCookieOf(staff, await end(viewer)))).toBe(staff.id)
})
