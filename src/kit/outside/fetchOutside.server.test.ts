import { expect, test } from 'vitest'
import { openOutside } from './fetchOutside.server.ts'

const signal = AbortSignal.timeout(20_000)

test.each([
  'http://localhost/',
  'https://localhost/',
  'http://127.0.0.1/',
  'http://0x7f.1/',
  'http://[::1]/',
  'http://10.0.0.1/',
  'http://8.8.8.8:22/',
  'http://8.8.8.8:5432/',
])('rejects the inside address %s', async (address) => {
  await expect(openOutside(address, { signal })).rejects.toMatchObject({
    status: 400,
    message: 'This address doesn’t lead to a public server.',
  })
})
