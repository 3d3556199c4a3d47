// Over 300 lines, because it lists the routes and jobs of all rooms.
import { join } from 'node:path'
import { adminOrderRoutes } from '../admin/orders/adminOrders.server.ts'
import { memberRoutes } from '../admin/members/members.server.ts'
import { totalsRoute } from '../admin/waiting/totals.server.ts'
import { waitingRoute } from '../admin/waiting/waiting.server.ts'
import { openAssistant } from '../assistant/assistant.server.ts'
import { chatTexts } from '../support/chat/chatTexts.ts'
import { readArticles } from '../assistant/help/articles.server.ts'
import { openHelp } from '../assistant/help/help.server.ts'
import { cartRoutes } from '../cart/cart.server.ts'
import { discountRoutes } from '../cart/discounts/discounts.server.ts'
import { analysisRoutes } from '../catalogue/add-product/analysis.server.ts'
import { catalogueRoutes } from '../catalogue/catalogue.server.ts'
import { categoryRoutes } from '../catalogue/categories/editor.server.ts'
import { realtimeRoutes } from '../catalogue/realtime/realtime.server.ts'
import { wishlistRoutes } from '../catalogue/wishlist/wishlist.server.ts'
import { checkoutRoutes } from '../checkout/checkout.server.ts'
import type { Checkout } from '../checkout/context.server.ts'
import { indexJobs } from '../catalogue/shelf/indexing.server.ts'
import { checkoutJobs } from '../checkout/reconcile.server.ts'
import { refundRoutes } from '../aftersale/refunds/refund.routes.server.ts'
import { refundRequestRoutes } from '../aftersale/refunds/request.server.ts'
import { aftersaleJobs, aftersaleRoutes } from '../aftersale/aftersale.server.ts'
import { supplyJobs, supplyRoutes } from '../aftersale/supply/supply.server.ts'
import { openSupplier } from '../delivery/supply/open.server.ts'
import { deliveryJobs, deliveryRoutes, openVault } from '../delivery/delivery.server.ts'
import { refusePdf } from '../delivery/stamp/choice.server.ts'
import { openStamps } from '../delivery/stamp/stamps.server.ts'
import { openIdentity } from '../identity/identity.server.ts'
import { openBus } from '../kit/bus.server.ts'
import { openReplica } from '../kit/cluster/replica.server.ts'
import { createSeenCookie, readFromReplica } from '../kit/cluster/replicaRoutes.server.ts'
import { createReader } from '../kit/serve/reader.server.ts'
import { createByteCache } from '../kit/serve/cache.server.ts'
import type { Config } from './settings.server.ts'
import { closeDatabase, openDatabase } from '../kit/database.server.ts'
import type { Route } from '../kit/handle.server.ts'
import { queueJobs, startJobs } from '../kit/jobs.server.ts'
import { createLimiter } from '../kit/serve/limit.server.ts'
import { checkPooler } from '../kit/cluster/pooler.server.ts'
import { mailJobs } from '../kit/mail/mail.server.ts'
import { createMailSeal } from '../kit/mail/mailSeal.server.ts'
import { findFreePort } from '../kit/serve/port.server.ts'
import { type Close, serve } from '../kit/serve/serve.server.ts'
import { createSharedLimiter, limitJobs } from '../kit/serve/sharedLimit.server.ts'
import { locationRoutes, openLocator } from '../localisation/location.server.ts'
import { ratesJobs, ratesRoute, refreshOldRates } from '../localisation/rates.server.ts'
import { healthRoutes } from '../monitoring/health/health.server.ts'
import { errorGroupRoutes } from '../monitoring/errors/errorGroups.server.ts'
import { errorJobs, errorRoutes } from '../monitoring/errors/errors.server.ts'
import { recordRelease } from '../monitoring/release.server.ts'
import { senderOf } from '../orders/orders.settings.server.ts'
import { attachInvoices, invoiceRoutes } from '../orders/invoices/invoices.server.ts'
import { againRoute } from '../orders/again/again.server.ts'
import { orderRoutes } from '../orders/orders.server.ts'
import { creditRoutes, promiseOf } from '../payments/credit.routes.server.ts'
import { moderationRoutes } from '../moderation/moderation.server.ts'
import { suspensionJobs, suspensionRoutes } from '../moderation/suspensions.server.ts'
import { createMetrics } from '../monitoring/metrics/metrics.registry.server.ts'
import { openChangeFeed } from '../notifications/changeFeed.server.ts'
import { openHooks } from '../notifications/hooks/hooks.server.ts'
import { openMails } from '../notifications/mail/mails.server.ts'
import { metricsRoutes, serveMetrics } from '../monitoring/metrics/metrics.server.ts'
import { integrationRoutes } from '../providers/integrations.server.ts'
import { ledgerJobs } from '../payments/ledger/jobs.server.ts'
import { ledgerRoutes } from '../payments/ledger/ledger.server.ts'
import type { OpenProvider } from '../providers/openProvider.server.ts'
import { createPayouts } from '../payments/payouts/context.server.ts'
import { payoutJobs, payoutRoutes } from '../payments/payouts/payouts.server.ts'
import { hostsOf, openProviders } from '../providers/providers.server.ts'
import { methodRoutes } from '../payments/methods/methods.server.ts'
import { transferRoutes } from '../providers/usdc/exceptions.server.ts'
import { guideRoutes } from '../providers/usdc/guide.server.ts'
import { walletJobs } from '../payments/wallets.server.ts'
import { inboxJobs, webhookRoutes } from '../payments/webhooks.server.ts'
import { reviewRoutes } from '../reviews/reviews.server.ts'
import { hintJobs, hintRoutes } from '../risk/hints.server.ts'
import { riskJobs } from '../risk/holds.server.ts'
import { openRisk } from '../risk/risk.server.ts'
import { riskRoutes } from '../risk/riskReview.server.ts'
import { openStorage } from '../uploads/openStorage.server.ts'
import { balanceRoutes } from '../selling/balance/balance.server.ts'
import { newsJobs, newsRoutes } from '../selling/news/news.server.ts'
import { openSales } from '../selling/sales/sales.server.ts'
import { sellingRoutes } from '../selling/selling.server.ts'
import { exportRoute } from '../selling/csv/export.server.ts'
import { importJobs, importRoutes } from '../selling/csv/import.server.ts'
import { storefrontRoutes } from '../selling/storefront/storefront.server.ts'
import { openSupport } from '../support/support.server.ts'
import { uploadJobs } from '../uploads/sweep.server.ts'
import { uploadRoutes } from '../uploads/uploads.server.ts'
import { apiRoutes } from './serving/openapi.server.ts'
import { createBusyPage } from './serving/busyPage.server.ts'
import { PAGE_PATHS } from './shell/paths.ts'
import { eraseJobs } from '../account/data/erase.server.ts'
import { myDataRoutes } from '../account/data/export.server.ts'
import { readLeaving } from '../account/data/leaving.server.ts'
import { createFirstView, createViewCache } from './firstView/firstView.server.ts'
import { createLanding } from './landing/landing.server.ts'
import { createTexts } from './texts/texts.server.ts'
import { updateSuspended } from '../catalogue/offSale.server.ts'
import { previewRoute } from '../catalogue/preview.server.ts'
import { createPages } from './serving/pages.server.ts'
import { preferenceRoutes } from '../account/preferences/preferences.server.ts'
import { profileRoutes } from '../account/profile/profile.server.ts'
import { openShopProbes } from './health/probes.server.ts'
import { openPush } from '../notifications/push/push.server.ts'

/** The address at which this process reaches itself when it listens on `host`. */
export function selfUrlOf(host: string, port: number): string {
  const address = ['0.0.0.0', '::', 'localhost'].includes(host) ? '127.0.0.1' : host
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

const DIST = join(import.meta.dirname, '../../dist')

export type Shop = Awaited<ReturnType<typeof openShop>>

/** Opens all rooms on one database and serves them. `hasJobs: false` leaves background work to other processes. */
export async function openShop({
  config,
  databaseUrl,
  secret,
  hasJobs = true,
  providers: opening,
}: {
  config: Config
  databaseUrl: string
  secret: string
  hasJobs?: boolean
  /** Other payment providers than the shop's own. */
  providers?: OpenProvider[] | undefined
}) {
  const port = config.port === 0 ? await findFreePort() : config.port
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`
  const isTls = publicUrl.startsWith('https:')
  const isPooled = config.poolerUrl !== undefined
  const database = openDatabase(config.poolerUrl ?? databaseUrl, { size: config.databasePool, isPooled })
  if (isPooled) await checkPooler(database.pool)
  const bus = await openBus(databaseUrl)
  const replica = config.replica && openReplica(config.replica, { database, bus, size: config.databasePool })
  await recordRelease(database.db)
  const cache = createByteCache(bus)
  const limiter = createLimiter({ scale: config.rateLimitScale })
  const sharedLimiter = createSharedLimiter(database.pool, { scale: config.rateLimitScale })
  const storage = await openStorage(config)
  const hasRemote = Object.keys(config.remote).length > 0
  const remote = hasRemote
    ? (await import('../uploads/remote/remote.server.ts')).openRemote({
        storage,
        secret,
        publicUrl,
        sources: config.remote,
        maxBytes: config.maxFileBytes,
        maxBytesPerDay: config.maxBytesPerDay,
      })
    : null
  const stamps = openStamps({ folder: join(config.dataDir, 'stamped'), storage })
  const vault = await openVault(database.db, config, secret)
  const locator = openLocator(config)
  const identity = await openIdentity({
    ...{ config, database, bus, secret, publicUrl },
    ...{ countryOf: locator.countryOf, leaving: readLeaving, updateSale: updateSuspended },
  })
  const sender = senderOf(config)
  const mails = openMails({ config, db: database.db, secret, publicUrl, sender })
  const context = { config, database, publicUrl, selfUrl: selfUrlOf(config.host, port) }
  const providers = await openProviders(context, opening)
  const { supplier, routes: supplierRoutes } = await openSupplier({ config, selfUrl: context.selfUrl, secret })
  const help = openHelp(readArticles(config))
  const assistant = openAssistant({ config, database, limiter: sharedLimiter, help })
  const support = openSupport({ config, database, limiter: sharedLimiter, help, publicUrl, secret, assistant })
  const risk = openRisk({ secret, mode: config.riskChecks })
  const payouts = createPayouts({ ...database, config, providers, publicUrl, secret })
  const paying = { providers, payouts, publicUrl, risk, secret, countryOf: locator.recall }
  const checkout: Checkout = { ...database, config, ...paying }
  const supplying = { checkout, vault, supplier }
  const probes = openShopProbes({ config, database, replica, storage, providers: providers.list })
  const changeFeed = await openChangeFeed(bus, identity)
  const hasMetrics = config.metricsPort !== undefined || config.metricsToken !== undefined
  const metrics = hasMetrics ? await createMetrics({ pool: database.pool, probes }) : null
  const hooks = openHooks({ config, db: database.db, secret, publicUrl })
  const sales = openSales({ database, config, publicUrl })
  const push = openPush({ config, db: database.db, secret, sessionKeyOf: identity.sessionKeyOf })

  const all: Route[] = [
    ...identity.routes,
    ...mails.routes,
    ...healthRoutes(database, probes),
    changeFeed.route,
    ...metricsRoutes(metrics, config, PAGE_PATHS),
    ...locationRoutes(locator),
    ratesRoute(config),
    ...hintRoutes,
    ...errorRoutes({ distDir: DIST, secret, limiter }),
    ...errorGroupRoutes,
    ...riskRoutes(risk),
    ...uploadRoutes({ storage, secret, config, publicUrl }),
    ...(remote?.routes ?? []),
    ...catalogueRoutes({
      ...{ storage, config, publicUrl },
      refuseUnstampable: (pdf, account) => refusePdf(stamps, pdf, account),
    }),
    ...categoryRoutes,
    ...(await realtimeRoutes(bus, database.pool)),
    previewRoute(storage),
    ...analysisRoutes(assistant.analysis),
    ...wishlistRoutes,
    ...reviewRoutes,
    ...moderationRoutes({ config, publicUrl }),
    ...suspensionRoutes({ config, publicUrl }),
    ...cartRoutes,
    ...discountRoutes,
    ...webhookRoutes(providers.list),
    ...integrationRoutes(providers, { publicUrl }),
    ...providers.routes,
    ...creditRoutes(config),
    ...methodRoutes(providers),
    ...payoutRoutes(payouts),
    ...transferRoutes({ config, publicUrl }),
    ...guideRoutes({ config }),
    ...ledgerRoutes,
    ...deliveryRoutes({ storage, stamps, secret, vault, limiter: sharedLimiter, config, publicUrl }),
    ...orderRoutes,
    againRoute,
    ...invoiceRoutes(config),
    ...checkoutRoutes(checkout),
    ...aftersaleRoutes(checkout, vault),
    ...supplyRoutes(supplying),
    ...supplierRoutes,
    ...refundRoutes({ config, publicUrl }),
    ...refundRequestRoutes(checkout),
    ...sellingRoutes({ storage, stamps, publicUrl }),
    ...balanceRoutes(config),
    ...sales.routes,
    ...newsRoutes,
    ...storefrontRoutes({ storage }),
    ...importRoutes,
    exportRoute,
    ...assistant.routes,
    ...support.routes,
    ...adminOrderRoutes(config),
    ...memberRoutes,
    waitingRoute,
    totalsRoute,
    ...preferenceRoutes,
    ...profileRoutes({ storage, publicUrl }),
    ...myDataRoutes({ secret }),
    ...push.routes,
    ...hooks.routes,
  ]
  const seen = replica && createSeenCookie({ isTls, mostSeconds: replica.mostSeconds })
  const rooms = replica && seen ? await readFromReplica(all, replica, seen) : all
  const routes = [...rooms, ...apiRoutes(rooms, config.storeName)]
  const server = await serve({
    ...{ routes, database, cache, limiter, sharedLimiter },
    ...{ identify: identity.identify, isVerified: identity.isVerified },
    ...{ isWorking: identity.isWorking, noteRefused: identity.noteRefused },
    fallback: createPages({
      distDir: DIST,
      storeName: config.storeName,
      chat: chatTexts(config.hasAssistant),
      maxFileBytes: config.maxFileBytes,
      bonus: promiseOf(config),
      isTls,
      isSandbox: providers.list.every(({ mode }) => mode === 'sandbox'),
      landing: createLanding({ cache, limiter, pool: database.pool, publicUrl, storeName: config.storeName }),
      firstView: (shell, styleOf) =>
        createFirstView({
          ...{ distDir: DIST, shell, styleOf, limiter },
          reader: createReader(rooms, cache, { limiter, sharedLimiter }),
          cache: createViewCache(bus),
        }),
      texts: createTexts({
        help,
        folder: config.textsDir,
        told: config,
        look: { storeName: config.storeName, isTls },
      }),
      payment: hostsOf(providers.list),
      storageOrigin: storage.direct?.origin,
      remoteSources: Object.keys(config.remote),
      methods: providers.list.map(({ name }) => name),
    }),
    busyPage: createBusyPage({ storeName: config.storeName, isTls }),
    door: remote?.socket,
    publicUrl: config.publicUrl,
    strictTransport: config.strictTransport,
    isProxyTrusted: config.isProxyTrusted,
    observe: metrics?.seeRequest,
    afterWrite: replica && seen && ((status) => seen.after(status, replica.position)),
    host: config.host,
    port,
  })
  const jobs = hasJobs
    ? await startJobs({
        url: databaseUrl,
        database,
        jobs: [
          ...mailJobs(
            { ...config, publicUrl, sender },
            database,
            createMailSeal(secret),
            attachInvoices(database.db, config),
          ),
          ...limitJobs(database.db),
          ...indexJobs(database.db),
          ...queueJobs(database),
          ...eraseJobs(database.db),
          ...identity.jobs,
          ...checkoutJobs(checkout),
          ...aftersaleJobs(checkout),
          ...supplyJobs(supplying),
          ...walletJobs(database.db, providers),
          ...inboxJobs(database.db, config),
          ...payoutJobs(payouts),
          ...ledgerJobs({ ...database, config, publicUrl, providers: providers.list }),
          ...uploadJobs({ db: database.db, storage }),
          ...ratesJobs(config, database.db),
          ...hintJobs(database.db),
          ...errorJobs(database.db, config),
          ...riskJobs(database.db, config),
          ...importJobs(database),
          ...deliveryJobs({ db: database.db, config, publicUrl, unsubscribeUrlOf: mails.unsubscribeUrlOf }),
          ...suspensionJobs(database.db, { config, publicUrl }),
          ...providers.jobs,
          ...push.jobs,
          ...hooks.jobs,
          ...sales.jobs,
          ...newsJobs(database.db, { config, publicUrl }),
        ],
      })
    : null
  if (hasJobs) void refreshOldRates(config, database.db).catch(() => undefined)

  const stopMetrics =
    metrics && config.metricsPort !== undefined
      ? await serveMetrics(metrics, { port: config.metricsPort, host: config.host })
      : null

  /** Stops accepting requests, waits for running requests and jobs, then closes the database. */
  const close: Close = async (options) => {
    probes.stop()
    changeFeed.stop()
    stopMetrics?.()
    await Promise.all([server.close(options), jobs?.stop()])
    await support.close()
    await assistant.close()
    await stamps.close()
    await remote?.close()
    await providers.stop()
    await sales.views.stop()
    await replica?.close()
    await bus.close()
    await closeDatabase(database)
  }
  return {
    ...{ server, database, identity },
    views: sales.views,
    sendNewsletter: mails.sendNewsletter,
    storage,
    vault,
    cache,
    checkout,
    supplying,
    routes,
    close,
  }
}
