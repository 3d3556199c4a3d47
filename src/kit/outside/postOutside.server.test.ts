import { expect, test } from 'vitest'
import { postOutside, problemOfAddress } from './postOutside.server.ts'

const INSIDE = [
  'https://127.0.0.1/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest',
  'https://8.8.8.8:5432/',
]

test.each([...INSIDE, 'http://8.8.8.8/', 'ftp://8.8.8.8/', 'https://ada:pw@example.com/', 'nonsense'])(
  'rejects the address %s when a member saves it and when the shop posts to it',
  async (address) => {
    expect(problemOfAddress(address)).toBeTypeOf('string')
    expect(await postOutside(address, { headers: {}, body: '' })).toMatchObject({ status: null })
  },
)

test('checks the resolved address of a name when the shop posts to it', async () => {
  expect(problemOfAddress('https://localhost/')).toBeUndefined()
  expect(await postOutside('https://localhost/', { headers: {}, body: '' })).toMatchObject({
    status: null,
    answer: 'This address doesn’t lead to a public server.',
  })
})

test('allows a public address', () => expect(problemOfAddress('https://example.com/hooks')).toBeUndefined())
