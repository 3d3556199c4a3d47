import { putProfile } from '../../identity/accounts/account.store.server.ts'
import type { CurrentUser } from '../../identity/identity.contract.ts'
import { currentUser } from './currentUser.server.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import { originOf, uploadIdOf } from '../../uploads/address.server.ts'
import { bindUpload, findUpload, releaseUpload } from '../../uploads/binding.server.ts'
import { makeImages } from '../../uploads/images/images.server.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import { saveProfile } from './profile.contract.ts'

export function profileRoutes({ storage, publicUrl }: { storage: Storage; publicUrl: string | undefined }): Route[] {
  return [
    handle(
      saveProfile,
      { limits: [{ per: 'account', count: 20, seconds: 3600, isShared: true }] },
      async ({ firstName, lastName, pictureURL }, { db, pool, user, header }) => {
        const { profileImageUrl } = JSON.parse(await currentUser(pool, user.id)) as CurrentUser
        const isLeft = pictureURL === profileImageUrl
        const id = isLeft || pictureURL === null ? null : uploadIdOf(pictureURL, originOf(publicUrl, header), storage)
        const upload = id && (await findUpload(db, storage, { userId: user.id, id }))
        // before the transaction, because decoding takes a second
        if (upload) await makeImages(db, storage, upload)
        await inTransaction(db, async (tx) => {
          if (upload) await bindUpload(tx, { userId: user.id, id: upload.id, isImage: true })
          const picture = upload ? { id: upload.id, image: `/images/${upload.id}/320.webp` } : null
          const names = { firstName: firstName || null, lastName: lastName || null }
          const unused = await putProfile(tx, user.id, { ...names, picture: isLeft ? undefined : picture })
          if (unused) await releaseUpload(tx, unused)
        })
        return asJson(await currentUser(pool, user.id))
      },
    ),
  ]
}
