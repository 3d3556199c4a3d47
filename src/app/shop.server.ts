import { join } from 'node:path'
import { chatRoutes } from '../assistant/chat.server.ts'
import { helpRoutes, openHelp } from '../assistant/help.server.ts'
import { inboxRoutes } from '../assistant/inbox.server.ts'
import { cartRoutes } from '../cart/cart.server.ts'
import { analysisRoutes } from '../catalogue/analysis.server.ts'
import { catalogueRoutes } from '../catalogue/catalogue.server.ts'
import { realtimeRoutes } from '../catalogue/realtime.server.ts'
import { wishlistRoutes } from '../catalogue/wishlist.server.ts'
import { type Checkout, checkoutRoutes } from '../checkout/checkout.server.ts'
import { checkoutJobs } from '../checkout/reconcile.server.ts'
import { deliveryRoutes } from '../delivery/delivery.server.ts'
import { type Identity, openIdentity } from '../identity/identity.server.ts'
import { openBus } from '../kit/bus.server.ts'
import { type ByteCache, createByteCache } from '../kit/cache.server.ts'
import type { Config } from '../kit/config.server.ts'
import { closeDatabase, type Database, openDatabase } from '../kit/database.server.ts'
import type { Route } from '../kit/handle.server.ts'
import { startJobs } from '../kit/jobs.server.ts'
import { createLimiter } from '../kit/limit.server.ts'
import { mailJobs } from '../kit/mail.server.ts'
import { findFreePort } from '../kit/port.server.ts'
import { type Close, type Server, serve } from '../kit/serve.server.ts'
import { locationRoutes } from '../localisation/location.server.ts'
import { ratesJobs, ratesRoute, refreshOldRates } from '../localisation/rates.server.ts'
import { healthRoutes } from '../monitoring/health.server.ts'
import { orderRoutes } from '../orders/orders.server.ts'
import { integrationRoutes } from '../payments/integrations.server.ts'
import { openProvider } from '../payments/provider.server.ts'
import { webhookRoutes } from '../payments/webhooks.server.ts'
import { reviewRoutes } from '../reviews/reviews.server.ts'
import { openDiskStorage } from '../uploads/storage.disk.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import { uploadJobs } from '../uploads/sweep.server.ts'
import { uploadRoutes } from '../uploads/uploads.server.ts'
import { apiRoutes } from './openapi.server.ts'
import { createBusyPage } from './busyPage.server.ts'
import { createPages } from './pages.server.ts'
import { preferenceRoutes } from './preferences.server.ts'
import { profileRoutes } from './profile.server.ts'
import { openPush } from './push.server.ts'

/** Where this process reaches itself when it listens on `host`. */
export function selfUrlOf(host: string, port: number): string {
  const address = ['0.0.0.0', '::', 'localhost'].includes(host) ? '127.0.0.1' : host
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

const DIST = join(import.meta.dirname, '../../dist')

export type Shop = {
  server: Server
  database: Database
  identity: Identity
  storage: Storage
  cache: ByteCache
  checkout: Checkout
  routes: Route[]
  close: Close
}

/** Puts the rooms together on one database and starts to serve. `hasJobs: false` leaves background work to others. */
export async function openShop({
  config,
  databaseUrl,
  secret,
  hasJobs = true,
}: {
  config: Config
  databaseUrl: string
  secret: string
  hasJobs?: boolean
}): Promise<Shop> {
  const port = config.port === 0 ? await findFreePort() : config.port
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`
  const isTls = publicUrl.startsWith('https:')
  const database = openDatabase(databaseUrl, { size: config.databasePool })
  const bus = await openBus(databaseUrl)
  const cache = createByteCache(bus)
  const limiter = createLimiter({ scale: config.rateLimitScale })
  const storage = await openDiskStorage(join(config.dataDir, 'objects'))
  const identity = await openIdentity({ config, database, bus, secret, publicUrl })
  const provider = await openProvider({ config, database, publicUrl, selfUrl: selfUrlOf(config.host, port) })
  const help = openHelp()
  const checkout: Checkout = { ...database, config, paypal: provider.paypal, publicUrl, scriptUrl: provider.scriptUrl }

  const push = openPush({ config, db: database.db, secret })

  const rooms: Route[] = [
    ...identity.routes,
    ...healthRoutes(database),
    ...locationRoutes(config),
    ratesRoute,
    ...uploadRoutes({ storage, secret, config, publicUrl }),
    ...catalogueRoutes({ storage, config, publicUrl }),
    ...(await realtimeRoutes(bus, database.pool)),
    ...analysisRoutes,
    ...wishlistRoutes,
    ...reviewRoutes,
    ...cartRoutes,
    ...webhookRoutes(provider.paypal),
    ...integrationRoutes(provider, { publicUrl }),
    ...provider.routes,
    ...deliveryRoutes({ storage, secret }),
    ...orderRoutes,
    ...checkoutRoutes(checkout),
    ...chatRoutes({ config, help }),
    ...inboxRoutes({ config, help, publicUrl }),
    ...helpRoutes(help),
    ...preferenceRoutes(),
    ...profileRoutes({ storage, publicUrl }),
    ...push.routes,
  ]
  const routes = [...rooms, ...apiRoutes(rooms, config.storeName)]
  const server = await serve({
    routes,
    database,
    cache,
    limiter,
    identify: identity.identify,
    fallback: createPages({
      distDir: DIST,
      storeName: config.storeName,
      maxFileBytes: config.maxFileBytes,
      isTls,
      payment: provider.policy,
    }),
    busyPage: createBusyPage({ storeName: config.storeName, isTls }),
    publicUrl: config.publicUrl,
    isProxyTrusted: config.isProxyTrusted,
    host: config.host,
    port,
  })
  const jobs = hasJobs
    ? await startJobs({
        url: databaseUrl,
        database,
        jobs: [
          ...mailJobs(config, database),
          ...identity.jobs,
          ...checkoutJobs(checkout),
          ...uploadJobs({ db: database.db, storage }),
          ...ratesJobs(config, database.db),
          ...provider.jobs,
          ...push.jobs,
        ],
      })
    : null
  if (hasJobs) void refreshOldRates(config, database.db).catch(() => undefined)

  /** Stops taking requests, lets running ones and jobs finish, then lets go of the database. */
  const close: Close = async (options) => {
    await Promise.all([server.close(options), jobs?.stop()])
    await provider.stop()
    await bus.close()
    await closeDatabase(database)
  }
  return { server, database, identity, storage, cache, checkout, routes, close }
}
