import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { readConfig } from './config.server.ts'
import { type Database, openDatabase } from './database.server.ts'
import { mailJobs, sendMail } from './mail.server.ts'
import { setLogLevel } from './log.server.ts'

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
  const [job] = mailJobs(config, database)
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

test('a mail that is refused for the moment is tried again, one refused for good is not', async () => {
  const post = await openPost([450, 250, 550])
  const config = readConfig({ SMTP_URL: post.url })
  const [job] = mailJobs(config, database)
  await sendMail(database.db, config, letter('later'))
  await sendMail(database.db, config, letter('never'))
  const later = await rowOf('later')
  await expect(job!.run({ id: later.id })).rejects.toThrow()
  await job!.run({ id: later.id })
  const never = await rowOf('never')
  await job!.run({ id: never.id })
  post.close()
  expect((await rowOf('later')).sentAt).not.toBeNull()
  expect(await rowOf('never')).toMatchObject({ sentAt: null, error: expect.stringContaining('550') as string })
})

test('without a mail server a mail stays where /dev/mail shows it', async () => {
  const config = readConfig({})
  await sendMail(database.db, config, letter('kept'))
  const { id } = await rowOf('kept')
  await mailJobs(config, database)[0]!.run({ id })
  expect(await rowOf('kept')).toMatchObject({
    sentAt: null,
    bodyText: expect.stringContaining('Open: https://shop.example/orders/1') as string,
  })
})
