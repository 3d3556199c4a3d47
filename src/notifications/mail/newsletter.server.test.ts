import { expect, test } from 'vitest'
import { openShopForTests } from '../../../test/shop.ts'
import { getAccount, setMails } from '../../identity/accounts/account.contract.ts'

const open = openShopForTests()

const mailsTo = (recipient: string) =>
  open.shop.database.db
    .selectFrom('mails')
    .select(['subject', 'bodyText', 'bodyHtml', 'unsubscribeUrl'])
    .where('recipient', '=', recipient)
    .where('subject', '=', 'New in the shop')
    .execute()

const send = () => open.shop.sendNewsletter('New in the shop', ['Two <things>.', 'And more.'])
const pathOf = (url: string | null) => url!.slice(new URL(url!).origin.length)
const openUrl = (path: string, init: RequestInit = {}) =>
  fetch(open.shop.url + path, { redirect: 'manual', ...init }).then(({ status }) => status)

test('sends the newsletter only to subscribers with a verified address', async () => {
  const [ada, bob, eve] = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  await ada.call(setMails, { wantsNews: true })
  await eve.call(setMails, { wantsNews: true })
  await open.shop.identity.createUser({ email: eve.email, emailVerified: false })
  expect(await send()).toBe(1)
  expect([(await mailsTo(bob.email)).length, (await mailsTo(eve.email)).length]).toEqual([0, 0])
  const [mail] = await mailsTo(ada.email)
  expect(mail!.bodyHtml).toContain('Two &lt;things&gt;.')
  expect(mail!.bodyText).toContain(mail!.unsubscribeUrl!)
  expect(mail!.bodyHtml).toContain('No more of these')
})

test('one-click unsubscribe works without a session and for one account only', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  for (const one of [ada, bob]) await one.call(setMails, { wantsNews: true })
  await send()
  const path = pathOf((await mailsTo(ada.email))[0]!.unsubscribeUrl)
  // opening the link, as a mail scanner does, does not unsubscribe
  expect(await openUrl(path)).toBe(200)
  expect((await ada.call(getAccount, {})).wantsNews).toBe(true)
  const press = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
  const changedAt = () =>
    open.shop.database.db.selectFrom('users').select('updatedAt').where('id', '=', ada.id).executeTakeFirstOrThrow()
  expect(await openUrl(path, press)).toBe(200)
  const first = await changedAt()
  expect(await openUrl(path, press)).toBe(200)
  expect(await changedAt()).toEqual(first)
  expect((await ada.call(getAccount, {})).wantsNews).toBe(false)
  expect((await bob.call(getAccount, {})).wantsNews).toBe(true)
})

test('rejects a changed unsubscribe link', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  for (const one of [ada, bob]) await one.call(setMails, { wantsNews: true })
  await send()
  const path = pathOf((await mailsTo(ada.email))[0]!.unsubscribeUrl)
  for (const false_ of [
    path.replace(ada.id, bob.id),
    path.replace(/key=./, 'key=_'),
    path.replace(/key=.*/, 'key='),
    path.replace(ada.id, 'x'),
    '/api/mails/unsubscribe',
  ])
    expect(await openUrl(false_, { method: 'POST' }), false_).toBe(404)
  expect((await bob.call(getAccount, {})).wantsNews).toBe(true)
})

test('shows the owner that the address refuses mails', async () => {
  const ada = await open.shop.join()
  const { db } = open.shop.database
  const write = (key: string, how: { sentAt?: Date; refusedAt?: Date }) =>
    db
      .insertInto('mails')
      .values({ key: `${key}:${ada.id}`, recipient: ada.email, subject: 'x', bodyText: '', bodyHtml: '', ...how })
      .execute()
  const isRefused = async () => (await ada.call(getAccount, {})).isMailRefused
  expect(await isRefused()).toBe(false)
  await write('one', { refusedAt: new Date() })
  expect(await isRefused()).toBe(true)
  await write('two', {})
  expect(await isRefused()).toBe(true)
  await write('three', { sentAt: new Date() })
  expect(await isRefused()).toBe(false)
})
