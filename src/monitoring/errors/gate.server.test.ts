import { expect, test, vi } from 'vitest'
import { log } from '../../kit/log/log.server.ts'
import { openGate } from './gate.server.ts'

test('runs two tasks at a time, drops and logs the rest, and continues after a failed task', async () => {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => undefined)
  const gate = openGate('dropped', 2, 20)
  const ends: (() => void)[] = []
  const long = () => gate(() => new Promise<string>((done) => ends.push(() => done('done'))))
  const running = [long(), long()]
  expect(await Promise.all([long(), long(), long()])).toEqual([null, null, null])
  await vi.waitFor(() => expect(warn).toHaveBeenCalledExactlyOnceWith('dropped', { count: 3 }), 20_000)
  for (const end of ends) end()
  expect(await Promise.all(running)).toEqual(['done', 'done'])
  await expect(gate(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await Promise.all([gate(async () => 1), gate(async () => 2)])).toEqual([1, 2])
  warn.mockRestore()
})
