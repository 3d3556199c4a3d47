import { z } from 'zod'

// What the runners' JSON reports count for. A skipped test has not passed; a runner that crashes is a failure.

export type Count = { passed: number; failed: number; skipped: number }

const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
})

export function countVitest(report: unknown, code: number | null): Count {
  const read = VitestReport.safeParse(report)
  if (!read.success) return { passed: 0, failed: 1, skipped: 0 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = read.data
  // a file that cannot be loaded has no tests to fail
  const brokenFiles = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  )
  const failed = numFailedTests + brokenFiles.length
  return { passed: numPassedTests, failed: atLeastOne(failed, code), skipped: numPendingTests + numTodoTests }
}

const PlaywrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
})

/** A flaky test failed once, so it failed. */
export function countPlaywright(report: unknown, code: number | null): Count {
  const read = PlaywrightReport.safeParse(report)
  if (!read.success) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, unexpected, flaky, skipped } = read.data.stats
  return { passed: expected, failed: atLeastOne(unexpected + flaky, code), skipped }
}

const atLeastOne = (failed: number, code: number | null) => (code === 0 ? failed : Math.max(failed, 1))

/** What a runner printed, without its line for each test that passed: what failed is read first. */
export const withoutPassed = (output: string) =>
  output
    .split('\n')
    .filter((line) => !/^\s*✓/.test(line))
    .join('\n')
    .trim()
