import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { derivePushKeys, pushTo } from './push.send.server.ts'

const keys = derivePushKeys('a secret of 32 characters or more')
const sender = { keys, subject: 'mailto:shop@shop.example', isTest: false }

function browserAt(endpoint: string) {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return { endpoint, p256dh: pair.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
}

test('never sends to this machine in production', async () => {
  let calls = 0
  const inner = createServer((_, response) => {
    calls++
    response.end()
  }).listen(0, '127.0.0.1')
  await once(inner, 'listening')
  const { port } = inner.address() as { port: number }
  for (const endpoint of [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    'https://127.0.0.1/',
    'https://[::1]/',
  ])
    await expect(pushTo(sender, browserAt(endpoint), '{}'), endpoint).rejects.toThrow('endpoint')
  expect(await pushTo({ ...sender, isTest: true }, browserAt(`http://127.0.0.1:${port}/`), '{}')).toBe(200)
  expect(calls).toBe(1)
  inner.close()
})

test('derives the same key on every node of a shop and another key for another shop', () => {
  expect(derivePushKeys('a secret of 32 characters or more')).toEqual(keys)
  expect(derivePushKeys('another secret of 32 characters').publicKey).not.toBe(keys.publicKey)
  expect(Buffer.from(keys.publicKey, 'base64url')).toHaveLength(65)
})
