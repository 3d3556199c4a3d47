import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { moderationRoutes } from './moderation.server.ts'
import { reportRoutes } from './reports.server.ts'
import { suspensionJobs, suspensionRoutes } from './suspensions.server.ts'

export const moderation = {
  open: ({ config, database, publicUrl }: Kit) => ({
    routes: [...reportRoutes, ...moderationRoutes({ config, publicUrl }), ...suspensionRoutes({ config, publicUrl })],
    jobs: suspensionJobs(database.db, { config, publicUrl }),
  }),
} satisfies Module
