import { expect, test } from 'vitest'
import texts from './mails.json' with { type: 'json' }
import { fillText } from './mails.server.ts'

const names = Object.keys(texts) as (keyof typeof texts)[]
const places = ['store', 'address', 'day', 'elsewhere', 'code', 'name', 'provider', 'device']
const values = Object.fromEntries(places.map((place) => [place, `<${place}>`]))

test.each(names)('fills every placeholder of the mail %s and throws if a value is missing', (name) => {
  const written = texts[name].lines.join()
  const filled = fillText(name, values).lines.join()
  expect(filled).not.toMatch(/[{}]/)
  for (const place of places) expect(filled.includes(`<${place}>`), place).toBe(written.includes(`{${place}}`))
  expect(() => fillText(name, {})).toThrow(`The mail ${name} has no value for {`)
})
