import { expect, test } from 'vitest'
import { checkOptions } from './select.rules.ts'

test('rejects an option with an empty value', () => {
  expect(() => checkOptions([{ value: 'audio', label: 'Audio' }])).not.toThrow()
  expect(() => checkOptions([{ value: '', label: 'None' }])).toThrow("not empty: 'None'")
})
