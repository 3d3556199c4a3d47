import { asJson, handle, handleCached, type Route } from '../../kit/handle.server.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import { sellerPreviewRoute } from './preview.server.ts'
import { getSeller, getStorefront, saveStorefront } from './storefront.contract.ts'
import { putStorefront, readSeller, readStorefront } from '../../catalogue/sellers/storefront.store.server.ts'

export const storefrontRoutes = ({ storage }: { storage: Storage }): Route[] => [
  handleCached(getSeller, {
    channels: ['catalogue', 'reviews'],
    limits: [{ per: 'address', count: 120, seconds: 60 }],
    load: async (asked, { pool }) => {
      const json = await readSeller(pool, asked.handle)
      return json === null ? null : asJson(json)
    },
  }),

  handle(getStorefront, (_, { db, user }) => readStorefront(db, user.id)),

  handle(
    saveStorefront,
    { limits: [{ per: 'account', count: 20, seconds: 3600, isShared: true }] },
    async (given, { db, user }) => {
      await putStorefront(db, user.id, given)
      return readStorefront(db, user.id)
    },
  ),

  sellerPreviewRoute(storage),
]
