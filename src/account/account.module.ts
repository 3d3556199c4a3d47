import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import { eraseJobs } from './data/erase.server.ts'
import { myDataRoutes } from './data/export.server.ts'
import { preferenceRoutes } from './preferences/preferences.server.ts'
import { profileRoutes } from './profile/profile.server.ts'
import { userRoute } from './profile/currentUser.server.ts'

export const account = {
  open: ({ database, secret, publicUrl, storage }: Kit & { storage: Storage }) => ({
    routes: [userRoute, ...preferenceRoutes, ...profileRoutes({ storage, publicUrl }), ...myDataRoutes({ secret })],
    jobs: eraseJobs(database.db),
  }),
} satisfies Module
