import { createHmac } from 'node:crypto'
import type { Route } from '../../kit/handle.server.ts'
import { deriveKey } from '../../kit/seal.server.ts'
import type { DeliveryConfig } from '../delivery.settings.server.ts'
import { openHttpSupplier } from './http.supplier.server.ts'
import type { Supplier } from './supplier.ts'

type Terms = {
  config: Pick<DeliveryConfig, 'supplier'> & { isSandboxOn: boolean; mode: string }
  selfUrl: string
  secret: string
}

/** Opens the supplier of the settings, the built-in one if the payment sandbox may run, or none. */
export async function openSupplier({
  config,
  selfUrl,
  secret,
}: Terms): Promise<{ supplier: Supplier | null; routes: Route[] }> {
  if (config.supplier) return { supplier: openHttpSupplier(config.supplier), routes: [] }
  if (!config.isSandboxOn) return { supplier: null, routes: [] }
  const { openSandbox, ROOT } = await import('../../../sandbox/supplier/sandbox.server.ts')
  const token = createHmac('sha256', deriveKey(secret, 'primo supplier stand-in v1')).digest('base64url')
  const { routes } = openSandbox({ token, isProduction: config.mode === 'production' })
  return { supplier: openHttpSupplier({ url: selfUrl + ROOT, token, isLocal: true }), routes }
}
