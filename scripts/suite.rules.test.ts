import { expect, test } from 'vitest'
import { afterSecondLook, nameFailures, readPlaywright, readVitest, notesOf, withoutPassed } from './suite.rules.ts'

const passing = { status: 'passed', fullName: 'adds', failureMessages: [] }
const failing = { status: 'failed', fullName: 'adds twice', failureMessages: ['expected 1 to be 2'] }
const vitest = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [{ name: '/a.test.ts', status: 'passed', assertionResults: [passing] }],
}
const failed = { name: '/b.test.ts', status: 'failed', assertionResults: [passing, failing] }
const broken = { name: '/c.test.ts', status: 'failed', message: 'no such module', assertionResults: [] }

const crashed = { passed: 0, failed: 1, skipped: 0, failures: [] }

const twice = { file: '/b.test.ts', name: 'adds twice', message: 'expected 1 to be 2' }
const unloaded = { file: '/c.test.ts', name: 'the file itself', message: 'no such module' }

test.each([
  ['does not count a skipped test as passed', vitest, 0, { passed: 3, failed: 0, skipped: 2, failures: [] }],
  [
    'counts a failure if the run ends with an error code',
    vitest,
    1,
    { passed: 3, failed: 1, skipped: 2, failures: [] },
  ],
  [
    'counts a failure for a file that fails to load',
    { ...vitest, testResults: [broken] },
    1,
    { passed: 3, failed: 1, skipped: 2, failures: [unloaded] },
  ],
  [
    'counts a failed test once, with its message',
    { ...vitest, numFailedTests: 1, testResults: [failed] },
    1,
    { passed: 3, failed: 1, skipped: 2, failures: [twice] },
  ],
  ['counts a failure for a runner without a report', undefined, 0, crashed],
  ['counts a failure for a report without counts', { testResults: [] }, 0, crashed],
  ['counts a failure for a file without results', { ...vitest, testResults: [{ status: 'passed' }] }, 0, crashed],
])('the reader of unit tests %s', (_name, report, code, outcome) =>
  expect(readVitest(report, code)).toEqual({ ...outcome, unsteady: [] }),
)

const ran = (passed: number, failures: (typeof twice)[], failedCount = failures.length) => ({
  passed,
  failed: failedCount,
  skipped: 0,
  failures,
  unsteady: [],
})

test.each([
  [
    'counts a test that passes then as passed and names it',
    ran(9, [twice]),
    ran(2, []),
    { passed: 10, failed: 0, unsteady: [twice] },
  ],
  [
    'counts a test that fails again as failed',
    ran(9, [twice]),
    ran(1, [twice]),
    { passed: 9, failed: 1, unsteady: [] },
  ],
  [
    'decides about each test separately',
    ran(8, [twice, unloaded]),
    ran(3, [twice]),
    { passed: 9, failed: 1, unsteady: [unloaded] },
  ],
  ['counts a test that fails only then as failed', ran(9, [twice]), ran(1, [unloaded]), { passed: 10, failed: 1 }],
  ['keeps a failure without a name', ran(9, [twice], 2), ran(2, []), { passed: 10, failed: 1 }],
  ['ignores a second run that crashes', ran(9, [twice]), ran(0, [], 1), { passed: 9, failed: 1 }],
])('the second run %s', (_name, first, second, outcome) =>
  expect(afterSecondLook(first, second)).toMatchObject(outcome),
)

const stats = { expected: 5, unexpected: 0, skipped: 1 }
const browser = (status: string) => {
  const results = [{ errors: [{ message: 'not visible' }] }]
  const spec = { title: 'buys', file: 'buy.spec.ts', tests: [{ projectName: 'phone', status, results }] }
  return [{ specs: [], suites: [{ specs: [spec] }] }]
}
const buys = { file: 'buy.spec.ts', name: 'buys [phone]', message: 'not visible' }

test.each([
  ['does not count a skipped test as passed', { stats, suites: [] }, 0, { passed: 5, failed: 0, skipped: 1 }],
  [
    'names a failed test with its message',
    { stats: { ...stats, unexpected: 1 }, suites: browser('unexpected') },
    1,
    { passed: 5, failed: 1, failures: [buys], unsteady: [] },
  ],
  ['counts a failure for a killed run', { stats, suites: [] }, null, { passed: 5, failed: 1, skipped: 1 }],
  ['counts a failure for a runner without a report', {}, 0, { passed: 0, failed: 1, skipped: 0 }],
  ['counts a failure for counts that it cannot read', { stats: {}, suites: [] }, 0, { passed: 0, failed: 1 }],
  ['counts a failure for suites that it cannot read', { stats, suites: [{}] }, 0, { passed: 0, failed: 1 }],
])('the reader of browser tests %s', (_name, report, code, outcome) =>
  expect(readPlaywright(report, code)).toMatchObject(outcome),
)

test('lists at most twenty failures with the first lines of their messages', () => {
  const message = `\u001b[31mexpected 1 to be 2\u001b[39m\n\n${'  at a\n'.repeat(9)}`
  expect(nameFailures([{ ...twice, message }])).toBe(
    `/b.test.ts: adds twice\n    expected 1 to be 2\n${Array(5).fill('      at a').join('\n')}`,
  )
  expect(nameFailures(Array(22).fill(twice)).split('\n').at(-1)).toBe('and 2 more')
})

test('removes the lines of passed tests from the output', () =>
  expect(
    withoutPassed('Running 2\n  ✓  1 one (2s)\n  ✘  2 two (3s)\n \u001b[32m✓\u001b[39m a.test.ts\n  Error: lost'),
  ).toBe('Running 2\n  ✘  2 two (3s)\n  Error: lost'))

test('finds each skip reason and each figure once', () => {
  const output =
    'stderr | a.test.ts\n\nSKIPPED: PgBouncer\n\n  \u001b[33mSKIPPED: Swift\u001b[39m\nSKIPPED: PgBouncer\n ↓ SKIPPED\nFIGURE: 95 % right\n'
  expect(notesOf(output)).toEqual(['SKIPPED: PgBouncer', 'SKIPPED: Swift', 'FIGURE: 95 % right'])
  expect(notesOf(' ✓ a.test.ts (3 tests)')).toEqual([])
})
