import type { Module } from '../kit/module.server.ts'
import { cartRoutes } from './cart.server.ts'
import { discountRoutes } from './discounts/discounts.server.ts'

export const cart = {
  open: () => ({ routes: [...cartRoutes, ...discountRoutes] }),
} satisfies Module
