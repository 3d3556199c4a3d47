import type { Config } from '../../kit/config.server.ts'
import type { Route } from '../../kit/handle.server.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import { certificateRoutes } from './certificates.server.ts'
import { learningRoutes } from './learning.server.ts'
import { outlineRoutes } from './outline.server.ts'
import { ownCourseRoutes } from './own/ownCourse.server.ts'

type Options = { storage: Storage; config: Pick<Config, 'storeName'>; publicUrl: string }

export const courseRoutes = ({ storage, config, publicUrl }: Options): Route[] => [
  ...outlineRoutes({ storage, publicUrl }),
  ...ownCourseRoutes(storage),
  ...learningRoutes,
  ...certificateRoutes({ config, publicUrl }),
]
