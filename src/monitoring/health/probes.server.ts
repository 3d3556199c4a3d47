import { log } from '../../kit/log/log.server.ts'
import { type Check, fail, type Finding, warn } from '../../kit/health/finding.rules.ts'

// Health checks of everything the shop depends on, on demand and once a minute. Requests within two seconds share one run.

const FRESH_MS = 2_000
const TIMEOUT_MS = 2_500
const EVERY_MS = 60_000

export type Probes = ReturnType<typeof openProbes>

/** `now` is in milliseconds and monotonic. */
export function openProbes(probes: Check[], { now = () => performance.now(), patienceMs = TIMEOUT_MS } = {}) {
  const seen = new Map<string, { finding: Finding; at: number }>()
  let last: { findings: Promise<Finding[]>; at: number } | undefined

  async function lookAt(
    { name, look, holdsSeconds = 0, leansOn }: Check,
    support?: Promise<Finding>,
  ): Promise<Finding> {
    const before = seen.get(name)
    if (before && before.finding.grade !== 'fail' && now() - before.at < holdsSeconds * 1000) return before.finding
    const found = await withinPatience(name, look)
    const isHidden = found.grade === 'fail' && (await support)?.grade === 'fail'
    const finding = isHidden
      ? warn(name, `cannot be seen while the ${leansOn} is away`, `start the ${leansOn}`)
      : { ...found, about: name }
    if (finding.grade !== before?.finding.grade && (before || finding.grade === 'fail')) tell(finding)
    seen.set(name, { finding, at: now() })
    return finding
  }

  async function withinPatience(name: string, look: Check['look']): Promise<Finding> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<Finding>((done) => {
      timer = setTimeout(
        () => done(fail(name, 'does not answer', 'see whether it runs and can be reached')),
        patienceMs,
      )
    })
    try {
      return await Promise.race([late, look()])
    } catch (error) {
      return fail(name, error instanceof Error ? error.message : String(error), 'see the log')
    } finally {
      clearTimeout(timer)
    }
  }

  function lookAtAll(): Promise<Finding[]> {
    const looks = new Map<string, Promise<Finding>>()
    for (const probe of probes) looks.set(probe.name, lookAt(probe, looks.get(probe.leansOn ?? '')))
    return Promise.all(looks.values())
  }

  function look(): Promise<Finding[]> {
    if (!last || now() - last.at > FRESH_MS) last = { findings: lookAtAll(), at: now() }
    return last.findings
  }

  const clock = setInterval(() => void look(), EVERY_MS).unref()

  return {
    look,
    seen: (): Finding[] => [...seen.values()].map(({ finding }) => finding),
    stop: () => clearInterval(clock),
  }
}

function tell({ grade, about, says }: Finding) {
  if (grade === 'fail') log.error('a part of the shop does not work', { part: about, says })
  else log.info('a part of the shop changed', { part: about, grade, says })
}
