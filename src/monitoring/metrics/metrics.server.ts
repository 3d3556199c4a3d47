import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { MonitoringConfig } from '../monitoring.settings.server.ts'
import { handlePublic, handleRaw, type Route } from '../../kit/handle.server.ts'
import { Failure, operatorFailure } from '../../kit/failure.ts'
import type { Metrics } from './metrics.registry.server.ts'
import { sendVitals } from './vitals.contract.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Returns an explicit 404. Otherwise this path would return the landing page, which Prometheus cannot read. */
const absent = handleRaw(
  'GET /metrics',
  { access: 'public', about: 'Figures for Prometheus.', isFromBrowser: false },
  async () => {
    throw new Failure(404, 'There are no metrics here: set METRICS_TOKEN, or METRICS_PORT for a separate port.')
  },
)

/** `knownRoutes` limits the labels, so that a client cannot create unlimited time series. */
export function metricsRoutes(
  metrics: Metrics | null,
  { metricsToken }: Pick<MonitoringConfig, 'metricsToken'>,
  knownRoutes: readonly string[],
): Route[] {
  const vitals = handlePublic(
    sendVitals,
    { limits: [{ per: 'address', count: 60, seconds: 60 }] },
    async ({ vitals: seen }) => {
      for (const vital of seen) if (knownRoutes.includes(vital.route)) metrics?.seeVital(vital)
      return {}
    },
  )
  if (!metrics || !metricsToken) return [vitals, absent]
  const wanted = digest(`Bearer ${metricsToken}`)
  const read = handleRaw(
    'GET /metrics',
    { access: 'public', about: 'Figures for Prometheus.', isFromBrowser: false },
    async ({ header }) =>
      timingSafeEqual(digest(header('authorization') ?? ''), wanted)
        ? { status: 200, headers: { 'content-type': metrics.contentType }, body: await metrics.read() }
        : { status: 401, headers: { 'content-type': 'application/json' }, body: '{"message":"Unauthorized"}' },
  )
  return [vitals, read]
}

/** Serves the metrics on a separate port, which a firewall must protect. Returns the function that stops it. */
export function serveMetrics(
  metrics: Pick<Metrics, 'contentType' | 'read'>,
  { port, host }: { port: number; host: string },
): Promise<() => void> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end()
    metrics.read().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(503).end(),
    )
  })
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      fail(
        error.code === 'EADDRINUSE'
          ? operatorFailure(
              `METRICS_PORT: port ${port} is taken. Each node of a machine needs a METRICS_PORT of its own.`,
            )
          : operatorFailure(`METRICS_PORT: cannot listen there (${error.message}).`),
      ),
    )
    server.listen(port, host, () => done(() => void server.close(() => undefined).closeAllConnections()))
  })
}
