import { expect, test } from 'vitest'
import { endOfFile, fileNameOf } from './licenseFile.rules.ts'
import { problemsOf, readTerms, typedOf } from './terms.rules.ts'

const GOOD = { prefix: 'GRID', devices: '3', days: '' }

test.each([
  [{}, []],
  [{ days: ' 365 ' }, []],
  [{ devices: '100', days: '3650' }, []],
  [{ prefix: 'A' }, ['prefix']],
  [{ prefix: 'NINELETTR' }, ['prefix']],
  [{ prefix: 'GR1D' }, ['prefix']],
  [{ prefix: 'ÄB' }, ['prefix']],
  [{ devices: '' }, ['devices']],
  [{ devices: '0' }, ['devices']],
  [{ devices: '101' }, ['devices']],
  [{ devices: '1.5' }, ['devices']],
  [{ devices: '1e2' }, ['devices']],
  [{ days: '0' }, ['days']],
  [{ days: '3651' }, ['days']],
  [{ days: 'never' }, ['days']],
])('finds the problems of the terms %j', (change, faults) => {
  expect(Object.keys(problemsOf({ ...GOOD, ...change }))).toEqual(faults)
})

test("parses the form's values", () => {
  for (const validDays of [null, 30]) {
    const terms = { prefix: 'GRID', devicesPerSeat: 3, validDays }
    expect(readTerms(typedOf(terms))).toEqual(terms)
  }
})

test('expires a licence file after 90 days, or with its key', () => {
  const issued = new Date('2026-11-23T10:00:00Z')
  expect(endOfFile(issued, null)).toEqual(new Date('2027-02-21T10:00:00Z'))
  expect(endOfFile(issued, new Date('2030-01-01T00:00:00Z'))).toEqual(new Date('2027-02-21T10:00:00Z'))
  expect(endOfFile(issued, new Date('2026-12-01T00:00:00Z'))).toEqual(new Date('2026-12-01T00:00:00Z'))
})

test.each([
  ['Grid Notes', 'grid-notes.license.json'],
  ['../../etc/passwd', 'etc-passwd.license.json'],
  ['日本', 'licence.license.json'],
])('formats the file name of %s', (title, name) => expect(fileNameOf(title)).toBe(name))
