import type { Module } from '../kit/module.server.ts'
import { answerRoutes } from './answers.server.ts'
import { reviewRoutes } from './reviews.server.ts'

export const reviews = {
  open: () => ({ routes: [...reviewRoutes, ...answerRoutes] }),
} satisfies Module
