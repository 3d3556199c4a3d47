import { expect, test } from 'vitest'
import { mailedLink } from '../../../test/mail.ts'
import { openShopForTests } from '../../../test/shop.ts'
import { getAccount, requestVerification, setMails } from '../../identity/accounts/account.contract.ts'

const TOKEN = 'what-only-the-mail-provider-knows'
const open = openShopForTests({ MAIL_BOUNCE_TOKEN: TOKEN })
const closed = openShopForTests()

const tell = (body: unknown, authorization: string | null = `Bearer ${TOKEN}`, shop = open.shop) =>
  fetch(`${shop.url}/api/mails/bounces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: JSON.stringify(body),
  }).then(({ status }) => status)

const sendNews = () => open.shop.sendNewsletter('New in the shop', ['Two things.'])

test('a bounced address is shown to its owner and gets no newsletter until verified again', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  for (const one of [ada, bob]) await one.call(setMails, { wantsNews: true })
  expect(await tell([{ email: ` ${ada.email.toUpperCase()}`, reason: '550 no such user' }])).toBe(200)
  expect(await ada.call(getAccount, {})).toMatchObject({ isMailRefused: true, wantsNews: true })
  expect((await bob.call(getAccount, {})).isMailRefused).toBe(false)
  expect(await sendNews()).toBe(1)
  await ada.call(requestVerification, {})
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await fetch(await mailedLink(open.shop, ada.email), { method: 'POST', headers })).status).toBe(200)
  expect((await ada.call(getAccount, {})).isMailRefused).toBe(false)
  expect(await sendNews()).toBe(2)
})

test('a spam complaint ends all optional mails', async () => {
  const ada = await open.shop.join()
  await ada.call(setMails, { wantsNews: true, wantsReviewMails: true })
  expect(await tell({ RecordType: 'SpamComplaint', Email: ada.email })).toBe(200)
  expect(await ada.call(getAccount, {})).toMatchObject({
    ...{ isMailRefused: false, wantsNews: false, wantsVersions: false, wantsReviewMails: false, wantsFollows: false },
  })
})

test('rejects bounce reports without the token', async () => {
  const ada = await open.shop.join()
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
  for (const authorization of [
    null,
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    TOKEN,
    basic('mail:wrong'),
    basic(TOKEN),
  ])
    expect(await tell({ email: ada.email }, authorization), String(authorization)).toBe(401)
  expect((await ada.call(getAccount, {})).isMailRefused).toBe(false)
  expect(await tell({ email: ada.email }, basic(`mail:${TOKEN}`))).toBe(200)
  expect((await ada.call(getAccount, {})).isMailRefused).toBe(true)
})

test('rejects malformed reports and does not reveal whether an address has an account', async () => {
  for (const body of [{}, [{}], 'x', { email: 1 }, { email: 'a', role: 'admin' }]) expect(await tell(body)).toBe(400)
  expect(await tell({ email: 'nobody@test.example' })).toBe(200)
})

test('the bounce route is missing without the setting', async () => {
  expect(await tell({ email: 'ada@test.example' }, `Bearer ${TOKEN}`, closed.shop)).toBe(404)
  expect(await tell({ email: 'ada@test.example' }, 'Bearer undefined', closed.shop)).toBe(404)
})
