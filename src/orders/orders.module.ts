import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { againRoute } from './again/again.server.ts'
import { invoiceRoutes } from './invoices/invoices.server.ts'
import { orderRoutes } from './orders.server.ts'
import type { OrdersConfig } from './orders.settings.server.ts'

export const orders = {
  open: ({ config }: Kit<OrdersConfig>) => ({ routes: [...orderRoutes, againRoute, ...invoiceRoutes(config)] }),
} satisfies Module
