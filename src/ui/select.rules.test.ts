import { expect, test } from 'vitest'
import { checkOptions } from './select.rules.ts'

test('an item with an empty value is rejected by the select control', () => {
  expect(() => checkOptions([{ value: 'audio', label: 'Audio' }])).not.toThrow()
  expect(() => checkOptions([{ value: '', label: 'None' }])).toThrow("not empty: 'None'")
})
