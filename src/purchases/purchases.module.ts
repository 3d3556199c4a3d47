import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { againRoute } from './again/again.server.ts'
import { invoiceRoutes } from './invoices/invoices.server.ts'
import { orderRoutes } from './orders.server.ts'
import type { PurchasesConfig } from './purchases.settings.server.ts'

export const purchases = {
  open: ({ config }: Kit<PurchasesConfig>) => ({ routes: [...orderRoutes, againRoute, ...invoiceRoutes(config)] }),
} satisfies Module
