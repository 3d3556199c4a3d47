import { expect, test } from 'vitest'
import { Failure } from '../../kit/failure.ts'
import type { Page } from '../../kit/handle.server.ts'
import { asPage, type Context, tooMany } from './context.server.ts'

const context = { look: { storeName: 'Primo', isTls: true } } as Context
const answerTo = (error: Error) => asPage(context, () => Promise.reject(error))({} as Page)

test.each([
  Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
  new Failure(503, 'Many people are signing in.', 'busy'),
])('shows an overload as a page: %s', async (error) => {
  const { status, headers, body } = await answerTo(error)
  expect([status, headers?.['retry-after']]).toEqual([503, '3'])
  expect(body).toContain('Nothing was changed')
  expect(body).not.toContain(error.message)
})

test('rethrows all other failures', async () => {
  await expect(answerTo(new Failure(415, 'This content type is not accepted.'))).rejects.toThrow('content type')
})

test('shows a wait in seconds or minutes', () => {
  expect(tooMany(0)).toBeUndefined()
  expect(tooMany(42)).toContain('Wait 42 seconds')
  expect(tooMany(181)).toContain('Wait 4 minutes')
})
