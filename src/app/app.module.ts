import type { Help } from '../assistant/help/help.server.ts'
import type { Check } from '../kit/health/finding.rules.ts'
import type { Kit } from '../kit/kit.module.ts'
import type { Route } from '../kit/handle.server.ts'
import { mailJobs } from '../kit/mail/mail.server.ts'
import { createMailSeal } from '../kit/mail/mailSeal.server.ts'
import type { Module } from '../kit/module.server.ts'
import { createReader } from '../kit/serve/reader.server.ts'
import { healthRoutes } from '../monitoring/health/health.server.ts'
import { openProbes } from '../monitoring/health/probes.server.ts'
import { createMetrics } from '../monitoring/metrics/metrics.registry.server.ts'
import { metricsRoutes, serveMetrics } from '../monitoring/metrics/metrics.server.ts'
import { attachInvoices } from '../purchases/invoices/invoices.server.ts'
import { promiseOf } from '../payments/credit.routes.server.ts'
import type { Providers } from '../payments/provider.ts'
import { hostsOf } from '../providers/providers.server.ts'
import { chatTexts } from '../support/chat/chatTexts.ts'
import type { Storage } from '../uploads/storage.server.ts'
import { createFirstView, createViewCache } from './firstView/firstView.server.ts'
import { createLanding } from './landing/landing.server.ts'
import { createPages } from './serving/pages.server.ts'
import type { Config } from './settings.server.ts'
import { PAGE_PATHS } from './shell/paths.ts'
import { createTexts } from './texts/texts.server.ts'

type Parts = Kit<Config> & { storage: Storage; providers: Providers }

const ORDER = [
  ...['database', 'trial database', 'replica', 'storage', 'jobs', 'mail', 'mails', 'sign-in', 'payments', 'fees'],
  ...['ledger', 'exchange rates', 'AI', 'scanner', 'disk', 'backup', 'restore test', 'demo'],
]
const rankOf = ({ name }: Check) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)

export const app = {
  async open({ config, database, secret, publicUrl, sender }: Kit<Config> & { sender: string }, checks: Check[]) {
    const probes = openProbes(checks.toSorted((one, other) => rankOf(one) - rankOf(other)))
    const { metricsPort: port, metricsToken, host } = config
    const hasMetrics = port !== undefined || metricsToken !== undefined
    const metrics = hasMetrics ? await createMetrics({ pool: database.pool, probes }) : null
    const stopMetrics = metrics && port !== undefined ? await serveMetrics(metrics, { port, host }) : null
    return {
      routes: [...healthRoutes(database, probes), ...metricsRoutes(metrics, config, PAGE_PATHS)],
      jobs: mailJobs(
        { ...config, publicUrl, sender },
        database,
        createMailSeal(secret),
        attachInvoices(database.db, config),
      ),
      parts: { metrics },
      drain: () => {
        probes.stop()
        stopMetrics?.()
      },
    }
  },
} satisfies Module

export function openPages(shop: Parts & { help: Help }, routes: Route[]) {
  const { config, database, bus, cache, limiter, sharedLimiter, publicUrl, isTls, distDir } = shop
  const { storage, providers, help } = shop
  const { storeName, maxFileBytes } = config
  return createPages({
    ...{ distDir, storeName, maxFileBytes, isTls },
    chat: chatTexts(config.hasAssistant),
    bonus: promiseOf(config, providers.list),
    isSandbox: providers.list.every(({ mode }) => mode === 'sandbox'),
    landing: createLanding({
      ...{ cache, limiter, pool: database.pool, publicUrl, storeName },
      hasSignUp: config.oidc === undefined,
    }),
    firstView: (shell, styleOf) =>
      createFirstView({
        ...{ distDir, shell, styleOf, limiter },
        reader: createReader(routes, cache, { limiter, sharedLimiter }),
        cache: createViewCache(bus),
      }),
    texts: createTexts({ help, folder: config.textsDir, told: config, look: { storeName, isTls } }),
    payment: hostsOf(providers.list),
    storageOrigin: storage.direct?.origin,
    remoteSources: Object.keys(config.remote),
    methods: providers.list.map(({ name }) => name),
  })
}
