import { join } from 'node:path'
import { account } from '../account/account.module.ts'
import { readLeaving } from '../account/data/leaving.server.ts'
import { admin } from '../admin/admin.module.ts'
import { aftersale } from '../aftersale/aftersale.module.ts'
import { assistant } from '../assistant/assistant.module.ts'
import { audit } from '../audit/audit.module.ts'
import { cart } from '../cart/cart.module.ts'
import { catalogue } from '../catalogue/catalogue.module.ts'
import { updateSuspended } from '../catalogue/offSale.server.ts'
import { checkout } from '../checkout/checkout.module.ts'
import { delivery } from '../delivery/delivery.module.ts'
import { identity } from '../identity/identity.module.ts'
import { createSeenCookie, readFromReplica } from '../kit/cluster/replicaRoutes.server.ts'
import { startJobs } from '../kit/jobs.server.ts'
import { kit } from '../kit/kit.module.ts'
import { openModules } from '../kit/module.server.ts'
import { type Close, serve } from '../kit/serve/serve.server.ts'
import { localisation } from '../localisation/localisation.module.ts'
import { moderation } from '../moderation/moderation.module.ts'
import { monitoring } from '../monitoring/monitoring.module.ts'
import { notifications } from '../notifications/notifications.module.ts'
import { orders } from '../orders/orders.module.ts'
import { purchases } from '../purchases/purchases.module.ts'
import { senderOf } from '../purchases/purchases.settings.server.ts'
import { payments } from '../payments/payments.module.ts'
import type { OpenProvider } from '../providers/openProvider.server.ts'
import { providers } from '../providers/providers.module.ts'
import { reviews } from '../reviews/reviews.module.ts'
import { risk } from '../risk/risk.module.ts'
import { selling } from '../selling/selling.module.ts'
import { support } from '../support/support.module.ts'
import { uploads } from '../uploads/uploads.module.ts'
import { app, openPages } from './app.module.ts'
import { createBusyPage } from './serving/busyPage.server.ts'
import { apiRoutes } from './serving/openapi.server.ts'
import { VIEWABLE } from './serving/viewable.ts'
import type { Config } from './settings.server.ts'

export type Shop = Awaited<ReturnType<typeof openShop>>

type Opening = {
  config: Config
  databaseUrl: string
  secret: string
  hasJobs?: boolean
  providers?: OpenProvider[] | undefined
}

/** Opens all rooms on one database and serves them. With `hasJobs: false`, other processes run the background jobs. */
export async function openShop({ config, databaseUrl, secret, hasJobs = true, providers: openers }: Opening) {
  const distDir = join(import.meta.dirname, '../../dist')
  // Functions of rooms that open after the rooms that call them.
  const later = { leaving: readLeaving, updateSale: updateSuspended, sender: senderOf(config) }
  const rooms = await openModules({ config, databaseUrl, secret, hasJobs, distDir, openers, ...later })
    .add(kit)
    .add(localisation)
    .add(identity)
    .add(notifications)
    .add(monitoring)
    .add(risk)
    .add(uploads)
    .add(delivery)
    .add(catalogue)
    .add(reviews)
    .add(moderation)
    .add(cart)
    .add(providers)
    .add(payments)
    .add(orders)
    .add(purchases)
    .add(checkout)
    .add(aftersale)
    .add(selling)
    .add(audit)
    .add(assistant)
    .add(support)
    .add(account)
    .add(admin)
    .add(app)
    .open()
  const { shop, jobs } = rooms
  const { database, cache, limiter, sharedLimiter, isTls, replica, metrics } = shop
  const { identify, isVerified, isWorking, noteRefused } = shop.identity
  const seen = replica && createSeenCookie({ isTls, mostSeconds: replica.mostSeconds })
  const calls = replica && seen ? await readFromReplica(rooms.routes, replica, seen) : rooms.routes
  const routes = [...calls, ...apiRoutes(calls, config.storeName)]
  const server = await serve({
    ...{ routes, database, cache, limiter, sharedLimiter, identify, isVerified, isWorking, noteRefused },
    viewable: VIEWABLE,
    fallback: openPages(shop, calls),
    busyPage: createBusyPage({ storeName: config.storeName, isTls }),
    door: shop.remote?.socket,
    publicUrl: config.publicUrl,
    strictTransport: config.strictTransport,
    isProxyTrusted: config.isProxyTrusted,
    observe: metrics?.seeRequest,
    afterWrite: replica && seen && ((status) => seen.after(status, replica.position)),
    host: config.host,
    port: shop.port,
  })
  const working = hasJobs ? await startJobs({ url: databaseUrl, database, jobs }) : null

  const close: Close = async (options) => {
    rooms.drain()
    await Promise.all([server.close(options), working?.stop()])
    await rooms.close()
  }
  return { ...shop, server, routes, jobs, close }
}
