import { expect, test } from 'vitest'
import { openShopForTests } from '../../../test/shop.ts'
import { getChat, sendChat } from '../chat/chat.contract.ts'
import { answerCustomer, getThread } from './inbox.contract.ts'
import { receiveMail } from './mailIn.contract.ts'

const TOKEN = 'a-token-of-a-mail-service'
const open = openShopForTests({
  ...{ ASSISTANT: 'off', MAIL_INBOUND_TOKEN: TOKEN, MAIL_INBOUND_ADDRESS: 'support@shop.example' },
})
const receive = (mail: { from: string; subject: string; text?: string; messageId?: string }, token = TOKEN) =>
  open.shop.call(
    receiveMail,
    { text: 'Thanks!', messageId: '1', ...mail },
    { headers: { authorization: `Bearer ${token}` } },
  )

test("adds a mail reply to its sender's conversation once, and only with the token in its subject", async () => {
  const [ada, bob, lena] = [await open.shop.join(), await open.shop.join(), await open.shop.join({ isAdmin: true })]
  const { db } = open.shop.database
  for (const person of [ada, bob]) {
    await person.call(sendChat, { message: 'Hello' })
    await db
      .updateTable('chatMessages')
      .set({ createdAt: new Date(Date.now() - 3 * 60_000) })
      .where('userId', '=', person.id)
      .execute()
    await lena.call(answerCustomer, { userId: person.id, message: 'Which order?' })
  }
  const subjectOf = async (recipient: string) =>
    (await db.selectFrom('mails').select('subject').where('recipient', '=', recipient).executeTakeFirstOrThrow())
      .subject
  const [subject, foreign] = [await subjectOf(ada.email), await subjectOf(bob.email)]
  expect(subject).toMatch(/\[c-[0-9a-f]{20}\]$/)

  const mail = {
    from: `Ada <${ada.email}>`,
    subject: `Re: ${subject}`,
    text: 'Number 7.\n\nOn Monday, Primo wrote:\n> Which?',
  }
  expect(await receive(mail)).toEqual({ isTaken: true })
  expect(await receive(mail)).toEqual({ isTaken: true })
  const messages = await ada.call(getChat, {})
  expect(messages.map(({ message, isByMail }) => [message, isByMail])).toEqual([
    ...['Hello', 'Which order?'].map((message) => [message, false]),
    ['Number 7.', true],
  ])
  expect((await lena.call(getThread, { userId: ada.id })).waitingSince).not.toBeNull()

  for (const forged of [
    { ...mail, subject: 'Re: hello', messageId: '2' },
    { ...mail, subject: foreign, messageId: '3' },
    { ...mail, from: 'someone@else.example', messageId: '4' },
    { ...mail, text: '> only quoted', messageId: '5' },
  ])
    expect(await receive(forged)).toEqual({ isTaken: false })
  expect(await ada.call(getChat, {})).toHaveLength(3)
  const { from: From, subject: Subject } = mail
  const postmark = { From, Subject, TextBody: 'And number 8.', MessageID: '6', MessageStream: 'inbound' }
  const authorization = `Basic ${Buffer.from(`mail:${TOKEN}`).toString('base64')}`
  expect(await open.shop.call(receiveMail, postmark, { headers: { authorization } })).toEqual({ isTaken: true })
  expect((await ada.call(getChat, {})).at(-1)?.message).toBe('And number 8.')
  await expect(receive(mail, 'another-token-of-20-letters')).rejects.toMatchObject({ status: 401 })
})
