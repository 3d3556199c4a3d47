import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import type { UploadsConfig } from '../uploads/uploads.settings.server.ts'
import { type CatalogueOptions, catalogueRoutes } from './catalogue.server.ts'
import { categoryRoutes } from './categories/editor.server.ts'
import { coverRoute, previewRoute } from './preview.server.ts'
import { openCutter } from './previews/cut/cutter.server.ts'
import { cutRoutes } from './previews/previews.server.ts'
import { realtimeRoutes } from './realtime/realtime.server.ts'
import { wishlistRoutes } from './wishlist/wishlist.server.ts'

type Needs = Kit & { storage: Storage; config: Pick<UploadsConfig, 'maxBytesPerDay'> } & Pick<
    CatalogueOptions,
    'refuseUnstampable'
  >

export const catalogue = {
  async open({ cache, config, database, bus, publicUrl, storage, refuseUnstampable }: Needs) {
    const cutter = openCutter(storage)
    return {
      routes: [
        ...catalogueRoutes({ storage, config, publicUrl, refuseUnstampable }),
        ...categoryRoutes,
        ...(await realtimeRoutes(bus, database.pool)),
        previewRoute(storage),
        ...cutRoutes({ storage, cutter, maxBytesPerDay: config.maxBytesPerDay }),
        coverRoute(cache),
        ...wishlistRoutes,
      ],
      parts: { cutter },
      close: () => cutter.close(),
    }
  },
} satisfies Module
