import { expect, onTestFinished, test, vi } from 'vitest'
import { runAs } from './current.server.ts'
import { log, setLogLevel } from './log.server.ts'

function listen(level: Parameters<typeof setLogLevel>[0]) {
  const lines: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0)
  setLogLevel(level)
  onTestFinished(() => {
    write.mockRestore()
    setLogLevel('silent')
  })
  return lines
}

test('writes one JSON object per line with the id of its request', async () => {
  const lines = listen('info')
  await runAs({ requestId: 'request-7' }, async () => {
    await Promise.resolve()
    log.warn('something', { order: 5 })
  })
  log.info('outside')
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 'warn', message: 'something', order: 5, requestId: 'request-7' },
    { level: 'info', message: 'outside' },
  ])
  expect(lines[1]).not.toContain('requestId')
})

test('escapes control characters in values and skips lower levels', () => {
  const lines = listen('warn')
  log.info('quiet')
  log.error('loud', { error: new Error('first\n{"level":"info"}\u001b[31m') })
  expect(lines).toHaveLength(1)
  expect([...lines[0]!.trimEnd()].every((character) => character >= ' ')).toBe(true)
})

test('writes the code and message of a database error, never the row', () => {
  const lines = listen('error')
  const detail = 'Key (email)=(ada@example.com) already exists.'
  log.error('failed', { error: Object.assign(new Error('duplicate key'), { code: '23505', detail, hint: detail }) })
  expect(lines[0]).toContain('23505')
  expect(lines[0]).not.toContain('ada@example.com')
})
