import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { readConfig } from './config.server.ts'
import { type Database, openDatabase } from './database.server.ts'
import { mailJobs, sendMail } from './mail.server.ts'
import { createMailSeal } from './mailSeal.server.ts'
import { setLogLevel } from './log.server.ts'

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

/** A mail server of a few lines: answers `codes` to the recipients it is given, one after another. */
async function openPost(codes: number[]) {
  const letters: string[] = []
  const server = createServer((socket: Socket) => {
    let isData = false
    let text = ''
    socket.write('220 post\r\n')
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const line = chunk.toString()
      if (isData) {
        text += line
        if (!text.includes('\r\n.\r\n')) return
        letters.push(text)
        isData = false
        text = ''
        return void socket.write('250 kept\r\n')
      }
      if (/^DATA/i.test(line)) {
        isData = true
        return void socket.write('354 go on\r\n')
      }
      if (/^RCPT/i.test(line)) return void socket.write(`${codes.shift() ?? 250} answer\r\n`)
      socket.write(/^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return { letters, url: `smtp://127.0.0.1:${port}?ignoreTLS=true`, close: () => server.close() }
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

test('a mail of one event is written and sent once, and its body is forgotten then', async () => {
  const post = await openPost([])
  const config = readConfig({ SMTP_URL: post.url, STORE_NAME: 'Primo' })
  const [job] = mailJobs(config, database, seal)
  await sendMail(database.db, config, letter('once'))
  await sendMail(database.db, config, letter('once'))
  const { id } = await rowOf('once')
  await job!.run({ id })
  await job!.run({ id })
  post.close()
  expect(post.letters).toHaveLength(1)
  expect(post.letters[0]).toContain(`Message-ID: <${id}@localhost>`)
  expect(post.letters[0]).toContain('Thank you & welcome.')
  expect(await rowOf('once')).toMatchObject({ bodyText: '', bodyHtml: '' })
  expect((await rowOf('once')).sentAt).not.toBeNull()
})

test('the secret of a link is in the mail that is sent and in no row, and opens in mails to its recipient alone', async () => {
  const post = await openPost([])
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
  // soft line breaks of the transfer encoding
  const [mine, others] = post.letters.map((text) => text.replace(/=\r\n/g, ''))
  expect(mine!.split(token).length).toBe(3)
  expect(others).not.toContain(token)
})

test('a mail that is refused for the moment is tried again, one refused for good is not', async () => {
  const post = await openPost([450, 250, 550])
  const config = readConfig({ SMTP_URL: post.url })
  const [job] = mailJobs(config, database, seal)
  await sendMail(database.db, config, letter('later'))
  await sendMail(database.db, config, letter('never'))
  const later = await rowOf('later')
  await expect(job!.run({ id: later.id })).rejects.toThrow()
  await job!.run({ id: later.id })
  const never = await rowOf('never')
  await job!.run({ id: never.id })
  await job!.run({ id: never.id })
  post.close()
  expect((await rowOf('later')).sentAt).not.toBeNull()
  expect(await rowOf('never')).toMatchObject({ sentAt: null, error: expect.stringContaining('550') as string })
  expect((await rowOf('never')).refusedAt).not.toBeNull()
  expect((await rowOf('later')).refusedAt).toBeNull()
})

test('a mail that nobody has to have brings its way out, for people and for mail programs; a receipt brings none', async () => {
  const post = await openPost([])
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

test('without a mail server a mail stays where /dev/mail shows it', async () => {
  const config = readConfig({})
  await sendMail(database.db, config, letter('kept'))
  const { id } = await rowOf('kept')
  await mailJobs(config, database, seal)[0]!.run({ id })
  expect(await rowOf('kept')).toMatchObject({
    sentAt: null,
    bodyText: expect.stringContaining('Open: https://shop.example/orders/1') as string,
  })
})

test('a mail is kept for 90 days', async () => {
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
