import { afterEach, beforeEach, expect, vi } from 'vitest'

// A test that expects an error on the console spies on it itself; any other is an unnoticed fault.

let complaints: unknown[][] = []

beforeEach(() => {
  complaints = []
  const write = console.error
  vi.spyOn(console, 'error').mockImplementation((...given) => {
    complaints.push(given)
    write(...given)
  })
})

afterEach(() => {
  expect(complaints, 'unexpected console.error').toEqual([])
})
