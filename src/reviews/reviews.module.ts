import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { answerRoutes } from './answers.server.ts'
import { reviewRequestJobs, reviewRequestRoutes } from './requests/requests.server.ts'
import { reviewRoutes } from './reviews.server.ts'
import type { ReviewsConfig } from './reviews.settings.server.ts'

type Needs = Kit<ReviewsConfig> & Pick<Parameters<typeof reviewRequestJobs>[1], 'unsubscribeUrlOf'>

export const reviews = {
  open: ({ config, database: { db }, publicUrl, unsubscribeUrlOf }: Needs) => ({
    routes: [...reviewRoutes, ...answerRoutes, ...reviewRequestRoutes],
    jobs: reviewRequestJobs(db, { config, publicUrl, unsubscribeUrlOf }),
  }),
} satisfies Module
