import type { Module } from '../kit/module.server.ts'
import { reviewRoutes } from './reviews.server.ts'

export const reviews = {
  open: () => ({ routes: reviewRoutes }),
} satisfies Module
