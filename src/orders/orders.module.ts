import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { againRoute } from '../purchases/again/again.server.ts'
import { invoiceRoutes } from '../purchases/invoices/invoices.server.ts'
import { orderRoutes } from '../purchases/orders.server.ts'
import type { OrdersConfig } from '../purchases/purchases.settings.server.ts'

export const orders = {
  open: ({ config }: Kit<OrdersConfig>) => ({ routes: [...orderRoutes, againRoute, ...invoiceRoutes(config)] }),
} satisfies Module
