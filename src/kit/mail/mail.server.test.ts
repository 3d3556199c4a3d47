import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { KIT_SETTINGS, readSettings, resolveKit } from '../config.server.ts'
import { type Database, openDatabase } from '../database.server.ts'
import { mailJobs, sendMail } from './mail.server.ts'
import { createMailSeal } from './mailSeal.server.ts'
import { setLogLevel } from '../log/log.server.ts'

const readConfig = (env: Record<string, string>) => ({
  ...resolveKit(readSettings(KIT_SETTINGS, env)),
  publicUrl: 'https://shop.example',
})

const seal = createMailSeal('a secret that only this test knows')
let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  setLogLevel('silent')
  const made = await createTestDatabase()
  database = openDatabase(made.url, { size: 3 })
  drop = made.drop
})
afterAll(async () => {
  await database.db.destroy()
  await drop()
})

type Answers = {
  greeting?: string
  login?: string
  sender?: string
  recipient?: string
  command?: string
  letter?: string
  /** Called instead of the reply after the body. */
  hold?: (answer: () => void) => void
}

/** Starts a minimal SMTP server. `answers` overrides single replies; a test may change it while the server runs. */
async function openPost(answers: Answers = {}) {
  const letters: string[] = []
  let connections = 0
  const server = createServer((socket: Socket) => {
    connections++
    let isData = false
    let text = ''
    const say = (line: string) => void socket.write(`${line}\r\n`)
    say(answers.greeting ?? '220 post')
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const line = chunk.toString()
      if (isData) {
        text += line
        if (!text.includes('\r\n.\r\n')) return
        letters.push(text)
        isData = false
        text = ''
        const answer = () => say(answers.letter ?? '250 kept')
        return answers.hold ? answers.hold(answer) : answer()
      }
      if (/^DATA/i.test(line)) {
        isData = !answers.command
        return say(answers.command ?? '354 go on')
      }
      if (/^EHLO/i.test(line)) return say('250-post\r\n250 AUTH PLAIN')
      if (/^AUTH/i.test(line)) return say(answers.login ?? '235 welcome')
      if (/^MAIL/i.test(line)) return say(answers.sender ?? '250 ok')
      if (/^RCPT/i.test(line)) return say(answers.recipient ?? '250 ok')
      say(/^QUIT/i.test(line) ? '221 bye' : '250 ok')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return {
    letters,
    connections: () => connections,
    url: `smtp://shop:pw@127.0.0.1:${port}?ignoreTLS=true`,
    close: () => server.close(),
  }
}

const letter = (key: string) => ({
  key,
  to: 'somebody@test.example',
  subject: 'Your order <1>',
  lines: ['Thank you & welcome.'],
  action: { label: 'Open', url: 'https://shop.example/orders/1' },
})
const rowOf = (key: string) =>
  database.db.selectFrom('mails').selectAll().where('key', '=', key).executeTakeFirstOrThrow()

test('isolates a right-to-left title in the subject, the text and the HTML of every mail', async () => {
  const mail = { ...letter('rtl'), subject: 'You made a sale: قهوة, 3 copies', lines: ['3 × قهوة: $625.00'] }
  await sendMail(database.db, readConfig({}), mail)
  const { subject, bodyText, bodyHtml } = await rowOf('rtl')
  expect(subject).toBe('You made a sale: \u2068قهوة\u2069, 3 copies')
  for (const body of [bodyText, bodyHtml]) expect(body).toContain('3 × \u2068قهوة\u2069: $625.00')
  expect(bodyHtml).toContain(`<h1 dir="auto" style="font-size:22px;margin:0 0 16px">${subject}</h1>`)
})

test('sends one mail per event and empties its body afterwards', async () => {
  const post = await openPost()
  const config = readConfig({ SMTP_URL: post.url, STORE_NAME: 'Primo' })
  const [job] = mailJobs(config, database, seal)
  await sendMail(database.db, config, letter('once'))
  await sendMail(database.db, config, letter('once'))
  const { id } = await rowOf('once')
  await job!.run({ id })
  await job!.run({ id })
  post.close()
  expect(post.letters).toHaveLength(1)
  expect(post.letters[0]).toContain(`Message-ID: <${id}@shop.example>`)
  expect(post.letters[0]).toContain('Thank you & welcome.')
  for (const page of ['terms', 'privacy', 'refunds'])
    expect(post.letters[0]!.replace(/=\r\n/g, '').split(`https://shop.example/${page}`)).toHaveLength(3)
  expect(await rowOf('once')).toMatchObject({ bodyText: '', bodyHtml: '' })
  expect((await rowOf('once')).sentAt).not.toBeNull()
})

test('sends due mails once on two nodes, and enqueues a job for a failed mail', async () => {
  await database.pool.query('UPDATE mails SET due_at = NULL')
  const answers: Answers = {}
  const post = await openPost(answers)
  const config = readConfig({ SMTP_URL: post.url })
  const sendDue = (given = config) =>
    mailJobs(given, database, seal)
      .find(({ name }) => name === 'send_mails')!
      .run({})
  const jobOf = async (key: string) => {
    const text = 'SELECT FROM graphile_worker.jobs WHERE key = $1'
    return (await database.pool.query(text, [`mail:${(await rowOf(key)).id}`])).rowCount
  }
  const keys = Array.from({ length: 25 }, (_, i) => `due ${i}`)
  for (const key of [...keys, 'old']) await sendMail(database.db, config, letter(key))
  await database.pool.query(`UPDATE mails SET created_at = now() - interval '4 days' WHERE key = 'old'`)
  await sendDue(readConfig({}))
  await Promise.all([sendDue(), sendDue()])
  expect(post.letters).toHaveLength(25)
  expect([await jobOf('due 0'), await jobOf('old')]).toEqual([0, 0])
  expect((await rowOf('old')).sentAt).toBeNull()

  answers.recipient = '450 later'
  await sendMail(database.db, config, letter('busy'))
  await sendDue()
  await sendDue()
  expect([await jobOf('busy'), (await rowOf('busy')).dueAt]).toEqual([1, null])
  // simulates a node that died while it sent this mail
  answers.recipient = '250 ok'
  await sendMail(database.db, config, letter('leased'))
  await database.pool.query(`UPDATE mails SET due_at = now() + interval '2 minutes' WHERE key = 'leased'`)
  await sendDue()
  expect((await rowOf('leased')).sentAt).toBeNull()
  await database.pool.query(`UPDATE mails SET due_at = now() WHERE key = 'leased'`)
  await sendDue()
  post.close()
  expect((await rowOf('leased')).sentAt).not.toBeNull()
  expect(post.letters).toHaveLength(26)
})

test('sends a mail once if the server takes longer than the lease, over few connections', async () => {
  await database.pool.query('UPDATE mails SET due_at = NULL')
  const held: (() => void)[] = []
  const post = await openPost({ hold: (answer) => void held.push(answer) })
  const config = readConfig({ SMTP_URL: post.url })
  const leaseMs = 200
  const sendDue = () =>
    mailJobs(config, database, seal, undefined, leaseMs)
      .find(({ name }) => name === 'send_mails')!
      .run({})
  const keys = Array.from({ length: 12 }, (_, i) => `slow ${i}`)
  for (const key of keys) await sendMail(database.db, config, letter(key))
  const first = sendDue()
  const releases = setInterval(() => held.splice(0).forEach((answer) => answer()), 2 * leaseMs)
  // simulates another node that polls for due mails
  const second = setInterval(() => void sendDue(), leaseMs / 2)
  await first
  clearInterval(second)
  clearInterval(releases)
  post.close()
  expect(post.letters).toHaveLength(12)
  expect(post.connections()).toBeLessThanOrEqual(5)
})

test('encrypts the token of a link in the table and decrypts it only in mails to its recipient', async () => {
  const post = await openPost()
  const config = readConfig({ SMTP_URL: post.url })
  const [job] = mailJobs(config, database, seal)
  const token = 'a-secret-of-forty-eight-letters'
  const url = `https://shop.example/reset?token=${seal.seal(token, 'somebody@test.example')}`
  const action = { label: 'Open', url }
  await sendMail(database.db, config, { ...letter('mine'), action })
  await sendMail(database.db, config, { ...letter('others'), to: 'eve@test.example', action })
  expect(JSON.stringify([await rowOf('mine'), await rowOf('others')])).not.toContain(token)
  for (const key of ['mine', 'others']) await job!.run({ id: (await rowOf(key)).id })
  post.close()
  // removes soft line breaks of the transfer encoding
  const [mine, others] = post.letters.map((text) => text.replace(/=\r\n/g, ''))
  expect(mine!.split(token).length).toBe(3)
  expect(others).not.toContain(token)
})

test.each<[string, Answers]>([
  ['a greeting without service', { greeting: '554 no service here' }],
  ['a wrong password', { login: '535 5.7.8 Authentication failed' }],
  ['a sender that is not ours', { sender: '553 5.7.1 not owned by you' }],
  ['a sender that is refused with the recipient', { recipient: '550 5.1.8 Sender address rejected' }],
  ['no right to relay', { recipient: '554 5.7.1 Relay access denied' }],
  ['no right to relay, in plain words', { recipient: '550 relay not permitted' }],
  ['no login', { recipient: '530 Authentication required' }],
  ['a mailbox that is busy', { recipient: '450 later' }],
  ['a letter that is not asked for', { command: '554 no valid recipients' }],
  ['what a letter is refused for, beside itself', { letter: '554 Message rejected: address is not verified' }],
  ['a quota of ours', { letter: '550 5.4.5 Daily sending quota exceeded' }],
])('keeps and retries a mail after this temporary or configuration error: %s', async (name, answers) => {
  const post = await openPost(answers)
  const config = readConfig({ SMTP_URL: post.url })
  const [job] = mailJobs(config, database, seal)
  await sendMail(database.db, config, letter(name))
  const { id } = await rowOf(name)
  await expect(job!.run({ id })).rejects.toThrow()
  const kept = await rowOf(name)
  expect(kept).toMatchObject({ sentAt: null, refusedAt: null, error: expect.stringMatching(/: \d{3} /) as string })
  expect(kept.bodyText).toContain('Thank you')
  for (const step of Object.keys(answers) as (keyof Answers)[]) delete answers[step]
  await job!.run({ id })
  post.close()
  expect((await rowOf(name)).sentAt).not.toBeNull()
})

test.each<[string, Answers]>([
  ['its mailbox is unknown', { recipient: '550 no such user' }],
  ['its mailbox is closed', { recipient: '550-5.2.1 The mailbox\r\n550 5.2.1 is disabled' }],
  ['its mailbox is reported unknown after the body', { letter: '550 5.1.1 no such user' }],
  ['the mail is too large', { letter: '552 5.3.4 too large' }],
])('marks a mail as refused when %s', async (name, answers) => {
  const post = await openPost(answers)
  const config = readConfig({ SMTP_URL: post.url })
  const [job] = mailJobs(config, database, seal)
  await sendMail(database.db, config, letter(name))
  const { id } = await rowOf(name)
  await job!.run({ id })
  await job!.run({ id })
  post.close()
  const refused = await rowOf(name)
  expect(refused).toMatchObject({ sentAt: null, bodyText: '', error: expect.stringMatching(/55[02]/) as string })
  expect(refused.refusedAt).not.toBeNull()
})

test('adds unsubscribe links and headers to optional mail, and none to a receipt', async () => {
  const post = await openPost()
  const config = readConfig({ SMTP_URL: post.url })
  const [job] = mailJobs(config, database, seal)
  const unsubscribeUrl = 'https://shop.example/api/mails/unsubscribe?account=1&key=2'
  await sendMail(database.db, config, { ...letter('news'), unsubscribeUrl })
  await sendMail(database.db, config, letter('receipt'))
  for (const key of ['news', 'receipt']) await job!.run({ id: (await rowOf(key)).id })
  post.close()
  const [news, receipt] = post.letters.map((text) => text.replace(/\r\n[ \t]+/g, ' '))
  expect(news).toMatch(/^List-Unsubscribe: <https:\/\/shop\.example\/api\/mails\/unsubscribe\?account=1&key=2>\r?$/m)
  expect(news).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
  expect(receipt).not.toContain('List-Unsubscribe')
})

test('stores a mail for /dev/mail if no mail server is configured', async () => {
  const config = readConfig({})
  await sendMail(database.db, config, letter('kept'))
  const { id } = await rowOf('kept')
  await mailJobs(config, database, seal)[0]!.run({ id })
  expect(await rowOf('kept')).toMatchObject({
    sentAt: null,
    bodyText: expect.stringContaining('Open: https://shop.example/orders/1') as string,
  })
})

test('deletes a mail after 90 days', async () => {
  const config = readConfig({ STORE_NAME: 'Primo' })
  const sweep = mailJobs(config, database, seal).find(({ name }) => name === 'sweep_mails')!
  await sendMail(database.db, config, letter('old'))
  const age = (days: number) =>
    database.pool.query(`UPDATE mails SET created_at = now() - $1 * interval '1 day' WHERE key = 'old'`, [days])
  await age(89)
  await sweep.run({})
  expect((await rowOf('old')).key).toBe('old')
  await age(91)
  await sweep.run({})
  await expect(rowOf('old')).rejects.toThrow()
})
