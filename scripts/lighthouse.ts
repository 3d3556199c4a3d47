import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { findFreePort } from '../src/kit/port.server.ts'
import { type DemoShop, launchOptions, signIn, startDemoShop } from './demoShop.ts'
import { measureJourney, type Step } from './lighthouse/journey.ts'

// `npm run lighthouse` measures landing and home on a throttled phone (4x CPU, slow 4G), medians of five, and the time from
// press to paint along a journey. Writes docs/lighthouse.md.

const RUNS = Number(process.argv[2] ?? 5)
const OUT = join(import.meta.dirname, '../docs/lighthouse.md')
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const TIMES = {
  'first-contentful-paint': 'first paint s',
  'largest-contentful-paint': 'largest paint s',
  'total-blocking-time': 'blocked ms',
  'cumulative-layout-shift': 'shift',
} as const

type Run = { scores: number[]; times: number[]; failed: string[] }

const shop = await startDemoShop()
try {
  const landing = await visit(shop, false)
  const home = await visit(shop, true)
  const steps = await measureJourney(shop, RUNS)
  const text = report({ landing, home }, steps)
  writeFileSync(OUT, text)
  process.stdout.write(text)
} finally {
  await shop.stop()
}

/** Runs Lighthouse on '/' as a visitor or a member. Lighthouse clears the storage but keeps cookies. */
async function visit(demo: DemoShop, isMember: boolean): Promise<Run[]> {
  const profile = mkdtempSync(join(tmpdir(), 'primo-lighthouse-'))
  const port = await findFreePort()
  const context = await chromium.launchPersistentContext(
    profile,
    await launchOptions([`--remote-debugging-port=${port}`]),
  )
  const page = await context.newPage()
  if (isMember) await signIn(page, demo)
  await page.goto('about:blank')
  const runs: Run[] = []
  for (let i = 0; i < RUNS; i++) {
    const result = await lighthouse(demo.url, {
      port,
      output: 'json',
      logLevel: 'error',
      formFactor: 'mobile',
      throttlingMethod: 'devtools',
      onlyCategories: [...CATEGORIES],
    })
    const { categories, audits, runtimeError } = result!.lhr
    if (runtimeError) throw new Error(runtimeError.message)
    runs.push({
      scores: CATEGORIES.map((name) => Math.round((categories[name]!.score ?? 0) * 100)),
      times: Object.keys(TIMES).map((name) => audits[name]!.numericValue ?? NaN),
      failed: CATEGORIES.slice(1).flatMap((name) =>
        categories[name]!.auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]!.score ?? 1) < 1).map(
          ({ id }) => id,
        ),
      ),
    })
  }
  await context.close()
  rmSync(profile, { recursive: true, force: true })
  return runs
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function report(pages: Record<string, Run[]>, steps: Step[]): string {
  const rows = Object.entries(pages).map(([name, runs]) => {
    const scores = CATEGORIES.map((_, i) => median(runs.map((run) => run.scores[i]!)))
    const [first, largest, blocked, shift] = Object.keys(TIMES).map((_, i) => median(runs.map((run) => run.times[i]!)))
    const times = [(first! / 1000).toFixed(2), (largest! / 1000).toFixed(2), blocked!.toFixed(0), shift!.toFixed(3)]
    return [name, ...scores, ...times]
  })
  const failed = [
    ...new Set(
      Object.entries(pages).flatMap(([name, runs]) => runs.flatMap((run) => run.failed.map((id) => `${name}: ${id}`))),
    ),
  ]
  const worst = Math.max(...steps.map(({ ms }) => ms))
  const { length, 0: cpu } = cpus()
  return `# Lighthouse

\`npm run lighthouse\` on ${new Date().toISOString().slice(0, 10)}: ${length} × ${cpu!.model.trim()}, mobile, applied throttling (4x CPU, slow 4G), medians of ${RUNS}. Browser and server share the machine.

${table(['page', ...CATEGORIES, ...Object.values(TIMES)], rows)}

${failed.length > 0 ? `Audits that did not pass: ${failed.join(', ')}.` : 'Every audit of accessibility, best practices and SEO passed.'}

## From press to paint

A journey on a phone at 4x CPU, ${RUNS} runs: the median of the longest event of each step, in milliseconds (the browser reports multiples of 8, from 16). Worst: ${worst}.

${table(
  ['step', 'ms'],
  steps.map(({ name, ms }) => [name, ms]),
)}
`
}

function table(head: readonly string[], rows: (string | number)[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
