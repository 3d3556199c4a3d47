import { afterEach, beforeEach, expect, vi } from 'vitest'

// Any other console error fails the test. A test that expects an error spies on the console itself.

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
