import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'

// Reads the JSON reports of the runners. A skipped test has not passed, and a runner that crashes has failed.

export type Failure = { file: string; name: string; message: string }
/** `unsteady` tests failed first and passed at the second run. They count as passed, and the suite names them. */
export type Outcome = { passed: number; failed: number; skipped: number; failures: Failure[]; unsteady: Failure[] }

/** The runner left no report, so only its output explains the failure. */
const CRASHED: Outcome = { passed: 0, failed: 1, skipped: 0, failures: [], unsteady: [] }

const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
})

export function readVitest(report: unknown, code: number | null): Outcome {
  const read = VitestReport.safeParse(report)
  if (!read.success) return CRASHED
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = read.data
  const failures = testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    // A file that fails to load has no tests.
    if (status === 'failed' && failed.length === 0) return [{ file, name: 'the file itself', message: message ?? '' }]
    return failed.map((test) => ({ file, name: test.fullName, message: (test.failureMessages ?? []).join('\n') }))
  })
  const failed = atLeastOne(failures.length, code)
  return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests, failures, unsteady: [] }
}

/** Joins a run with the second run of its failed tests. Tests that passed at the second run are unsteady. */
export function afterSecondLook(first: Outcome, second: Outcome): Outcome {
  if (second.passed === 0) return first
  const isStill = (one: Failure) => second.failures.some(({ file, name }) => file === one.file && name === one.name)
  const recovered = first.failures.filter((one) => !isStill(one))
  const failed = Math.max(first.failed - recovered.length, second.failed)
  const { passed } = first
  return { ...first, passed: passed + recovered.length, failed, failures: second.failures, unsteady: recovered }
}

type Suite = z.infer<typeof Suite>
const Suite = z.object({
  get suites() {
    return z.array(Suite).optional()
  },
  specs: z.array(
    z.object({
      title: z.string(),
      file: z.string(),
      tests: z.array(
        z.object({
          projectName: z.string(),
          status: z.string(),
          results: z.array(z.object({ errors: z.array(z.object({ message: z.string().optional() })) })),
        }),
      ),
    }),
  ),
})
const PlaywrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), skipped: z.number() }),
  suites: z.array(Suite),
})

export function readPlaywright(report: unknown, code: number | null): Outcome {
  const read = PlaywrightReport.safeParse(report)
  if (!read.success) return CRASHED
  const { expected, unexpected, skipped } = read.data.stats
  const specs = read.data.suites.flatMap(specsOf)
  const tests = specs.flatMap(({ title, file, tests }) =>
    tests.map(({ projectName, status, results }) => {
      const message = results.flatMap(({ errors }) => errors.map((error) => error.message ?? '')).join('\n')
      return { file, name: `${title} [${projectName}]`, status, message }
    }),
  )
  return {
    passed: expected,
    failed: atLeastOne(unexpected, code),
    skipped,
    failures: tests.flatMap(({ status, ...failure }) => (status === 'unexpected' ? [failure] : [])),
    unsteady: [],
  }
}

const specsOf = (suite: Suite): Suite['specs'] => [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)]

const atLeastOne = (failed: number, code: number | null) => (code === 0 ? failed : Math.max(failed, 1))

const MOST_NAMED = 20
const MOST_LINES = 6

/** The names and first lines of failures, printed before the long output. */
export function nameFailures(failures: Failure[]) {
  const named = failures.slice(0, MOST_NAMED).map(({ file, name, message }) => {
    const lines = stripVTControlCharacters(message).split('\n').filter(Boolean).slice(0, MOST_LINES)
    return [`${file}: ${name}`, ...lines.map((line) => `    ${line.slice(0, 200)}`)].join('\n')
  })
  const left = failures.length - named.length
  return [...named, ...(left > 0 ? [`and ${left} more`] : [])].join('\n')
}

/** The output of a runner without the lines of passed tests. */
export const withoutPassed = (output: string) =>
  stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => !/^\s*✓/.test(line))
    .join('\n')
    .trim()
