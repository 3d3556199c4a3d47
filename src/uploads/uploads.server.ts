import { sql } from 'kysely'
import type { UploadsConfig } from './uploads.settings.server.ts'
import type { Reach } from '../kit/outside/fetchOutside.server.ts'
import { handle, type Route } from '../kit/handle.server.ts'
import { originOf, signUpload } from './address.server.ts'
import { createUploadGate, checkDailyQuota } from './budget.server.ts'
import { readFileName } from './fileName.rules.ts'
import { imageRoute } from './images.server.ts'
import { linkRoutes } from './link.server.ts'
import { receiveUpload } from './receive.server.ts'
import type { Scan } from './scan.server.ts'
import type { Storage } from './storage.server.ts'
import { createUpload } from './uploads.contract.ts'

const LIFE_SECONDS = 15 * 60

type UploadOptions = {
  storage: Storage
  secret: string
  config: Pick<UploadsConfig, 'maxFileBytes'>
  publicUrl: string | undefined
  scan?: Scan | undefined
  /** The addresses that imports may reach; by default the public Internet. */
  reach?: Reach
}

export function uploadRoutes({ storage, secret, config, publicUrl, scan, reach }: UploadOptions): Route[] {
  const maxBytes = config.maxFileBytes
  const context = { storage, maxBytes, publicUrl, whileCounted: createUploadGate(), scan }
  return [
    handle(
      createUpload,
      { limits: [{ per: 'account', count: 20, seconds: 3600, isShared: true }] },
      async (_, { user, db, header }) => {
        await checkDailyQuota(db, user.id)
        const { id, expires } = await db
          .insertInto('objects')
          .values({
            userId: user.id,
            fileName: readFileName(header('x-file-name')),
            expiresAt: sql`now() + ${LIFE_SECONDS} * interval '1 second'`,
          })
          .returning(['id', sql<string>`floor(extract(epoch FROM expires_at))::bigint::text`.as('expires')])
          .executeTakeFirstOrThrow()
        const signature = signUpload(secret, { id, userId: user.id, expires, maxBytes })
        const origin = originOf(publicUrl, header)
        return { uploadURL: `${origin}/objects/${id}?expires=${expires}&signature=${signature}` }
      },
    ),
    receiveUpload(context, secret),
    ...linkRoutes({ ...context, reach }),
    imageRoute(storage),
  ]
}
