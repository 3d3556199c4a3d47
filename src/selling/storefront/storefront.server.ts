import { openImage } from '../../catalogue/files.server.ts'
import { putDesign, readHeaderId } from '../../catalogue/sellers/design.store.server.ts'
import { putStorefront, readSeller, readStorefront } from '../../catalogue/sellers/storefront.store.server.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { asJson, handle, handleCached, type Route } from '../../kit/handle.server.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import { sellerPreviewRoute } from './preview.server.ts'
import { getSeller, getStorefront, saveStorefront } from './storefront.contract.ts'

type StorefrontOptions = { storage: Storage; publicUrl: string | undefined }

export const storefrontRoutes = ({ storage, publicUrl }: StorefrontOptions): Route[] => [
  handleCached(getSeller, {
    channels: ['catalogue', 'reviews'],
    limits: [{ per: 'address', count: 120, seconds: 60 }],
    load: async (asked, { pool }) => {
      const json = await readSeller(pool, asked.handle)
      return json === null ? null : asJson(json)
    },
  }),

  handle(getStorefront, async (_, { pool, user }) => asJson(await readStorefront(pool, user.id))),

  handle(
    saveStorefront,
    { limits: [{ per: 'account', count: 20, seconds: 3600, isShared: true }] },
    async ({ design, ...page }, { db, pool, user, header }) => {
      const picture =
        design?.headerURL &&
        (await openImage({ db, user, header, storage, publicUrl }, design.headerURL, await readHeaderId(db, user.id)))
      await inTransaction(db, async (tx) => {
        await putStorefront(tx, user.id, page)
        if (!design) return
        const { headerURL, ...look } = design
        await putDesign(tx, user.id, look, headerURL === null ? null : picture || undefined)
      })
      return asJson(await readStorefront(pool, user.id))
    },
  ),

  sellerPreviewRoute(storage),
]
