type Part = { name: string; state: string }
export type Readiness = { ready: number; all: number; failing: Part[] }

/** Reads the probe's answer, each part's name and 'ok' or what is wrong; null when the probe itself failed. */
export function readinessOf(probe: unknown): Readiness {
  const answer: Record<string, unknown> =
    typeof probe === 'object' && probe !== null ? { server: 'ok', ...probe } : { server: 'does not answer' }
  const parts = Object.entries(answer)
    .filter(([name, state]) => name !== 'status' && typeof state === 'string')
    .map(([name, state]) => ({ name: name.charAt(0).toUpperCase() + name.slice(1), state: state as string }))
  const failing = parts.filter(({ state }) => state !== 'ok')
  return { ready: parts.length - failing.length, all: parts.length, failing }
}
