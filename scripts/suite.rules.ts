import { stripVTControlCharacters } from 'node:util'
import type { JSONReport, JSONReportSpec, JSONReportSuite } from '@playwright/test/reporter'
import type { JsonTestResults } from 'vitest/node'
import { z } from 'zod'

// Reads the JSON reports of the runners. A skipped test has not passed, and a runner that crashes has failed.

export type Failure = { file: string; name: string; message: string }
/** `unsteady` tests failed at first and passed when run again. They count as passed, and the suite lists them. */
export type Outcome = { passed: number; failed: number; skipped: number; failures: Failure[]; unsteady: Failure[] }

/** The runner left no report, so only its output explains the failure. */
const CRASHED: Outcome = { passed: 0, failed: 1, skipped: 0, failures: [], unsteady: [] }

const VitestReport = z.object({
  numPassedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ status: z.string() })) })),
})

export function readVitest(report: unknown, code: number | null): Outcome {
  if (!VitestReport.safeParse(report).success) return CRASHED
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = report as JsonTestResults
  const failures = testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    // A file that fails to load has no test results.
    if (status === 'failed' && failed.length === 0) return [{ file, name: 'the file itself', message }]
    return failed.map((test) => ({ file, name: test.fullName, message: (test.failureMessages ?? []).join('\n') }))
  })
  const failed = atLeastOne(failures.length, code)
  return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests, failures, unsteady: [] }
}

export function afterSecondLook(first: Outcome, second: Outcome): Outcome {
  if (second.passed === 0) return first
  const isStill = (one: Failure) => second.failures.some(({ file, name }) => file === one.file && name === one.name)
  const recovered = first.failures.filter((one) => !isStill(one))
  const failed = Math.max(first.failed - recovered.length, second.failed)
  const { passed } = first
  return { ...first, passed: passed + recovered.length, failed, failures: second.failures, unsteady: recovered }
}

const PlaywrightSuite = z.object({
  get suites() {
    return z.array(PlaywrightSuite).optional()
  },
  specs: z.array(z.object({ tests: z.array(z.object({ status: z.string(), results: z.array(z.unknown()) })) })),
})
const PlaywrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), skipped: z.number() }),
  suites: z.array(PlaywrightSuite),
})

export function readPlaywright(report: unknown, code: number | null): Outcome {
  if (!PlaywrightReport.safeParse(report).success) return CRASHED
  const { stats, suites } = report as JSONReport
  const { expected, unexpected, skipped } = stats
  const failures = suites.flatMap(specsOf).flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ projectName, results }) => {
        const message = results.flatMap(({ errors }) => errors.map((error) => error.message ?? '')).join('\n')
        return { file, name: `${title} [${projectName}]`, message }
      }),
  )
  return { passed: expected, failed: atLeastOne(unexpected, code), skipped, failures, unsteady: [] }
}

const specsOf = (suite: JSONReportSuite): JSONReportSpec[] => [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)]

const atLeastOne = (failed: number, code: number | null) => (code === 0 ? failed : Math.max(failed, 1))

const MAX_NAMED = 20
const MAX_LINES = 6

export function nameFailures(failures: Failure[]) {
  const named = failures.slice(0, MAX_NAMED).map(({ file, name, message }) => {
    const lines = stripVTControlCharacters(message).split('\n').filter(Boolean).slice(0, MAX_LINES)
    return [`${file}: ${name}`, ...lines.map((line) => `    ${line.slice(0, 200)}`)].join('\n')
  })
  const left = failures.length - named.length
  return [...named, ...(left > 0 ? [`and ${left} more`] : [])].join('\n')
}

export const withoutPassed = (output: string) =>
  stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => !/^\s*✓/.test(line))
    .join('\n')
    .trim()

export const notesOf = (output: string) => [
  ...new Set(stripVTControlCharacters(output).match(/(?<=^\s*)(?:SKIPPED|FIGURE): .+$/gm)),
]
