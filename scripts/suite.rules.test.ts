import { expect, test } from 'vitest'
import { countPlaywright, countVitest, withoutPassed } from './suite.rules.ts'

const vitest = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
}
const broken = { status: 'failed', assertionResults: [] }
const failing = { status: 'failed', assertionResults: [{ status: 'failed' }] }

test.each([
  ['a skipped test has not passed', vitest, 0, { passed: 3, failed: 0, skipped: 2 }],
  ['a run that ends badly has a failure', vitest, 1, { passed: 3, failed: 1, skipped: 2 }],
  [
    'a file that cannot be loaded is a failure',
    { ...vitest, testResults: [broken] },
    1,
    { passed: 3, failed: 1, skipped: 2 },
  ],
  [
    'a failed test counts once',
    { ...vitest, numFailedTests: 1, testResults: [failing] },
    1,
    { passed: 3, failed: 1, skipped: 2 },
  ],
  ['a runner without a report is a failure', undefined, 0, { passed: 0, failed: 1, skipped: 0 }],
])('unit tests: %s', (_name, report, code, count) => expect(countVitest(report, code)).toEqual(count))

const stats = { expected: 5, unexpected: 0, flaky: 0, skipped: 1 }

test.each([
  ['a skipped test has not passed', { stats }, 0, { passed: 5, failed: 0, skipped: 1 }],
  ['a flaky test has failed', { stats: { ...stats, flaky: 1 } }, 0, { passed: 5, failed: 1, skipped: 1 }],
  ['a run that is killed has a failure', { stats }, null, { passed: 5, failed: 1, skipped: 1 }],
  ['a runner without a report is a failure', {}, 0, { passed: 0, failed: 1, skipped: 0 }],
])('browser tests: %s', (_name, report, code, count) => expect(countPlaywright(report, code)).toEqual(count))

test('what failed is read without the lines of what passed', () =>
  expect(withoutPassed('Running 2\n  ✓  1 one (2s)\n  ✘  2 two (3s)\n ✓ src/a.test.ts\n  Error: lost')).toBe(
    'Running 2\n  ✘  2 two (3s)\n  Error: lost',
  ))
