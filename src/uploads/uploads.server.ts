import { sql } from 'kysely'
import type { Config } from '../kit/config.server.ts'
import { handle, type Route } from '../kit/handle.server.ts'
import { originOf } from './address.server.ts'
import { refuseGreed } from './budget.server.ts'
import { readFileName } from './fileName.rules.ts'
import { imageRoute } from './images.server.ts'
import { receiveUpload } from './receive.server.ts'
import { signUpload } from './signature.server.ts'
import type { Storage } from './storage.server.ts'
import { createUpload } from './uploads.contract.ts'

const LIFE_SECONDS = 15 * 60

export type UploadOptions = {
  storage: Storage
  secret: string
  config: Pick<Config, 'maxFileBytes'>
  publicUrl: string | undefined
}

export function uploadRoutes({ storage, secret, config, publicUrl }: UploadOptions): Route[] {
  const maxBytes = config.maxFileBytes
  return [
    handle(
      createUpload,
      async (_, { user, db, header }) => {
        await refuseGreed(db, user.id)
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
      { limits: [{ per: 'account', count: 20, seconds: 3600 }] },
    ),
    receiveUpload({ storage, secret, maxBytes, publicUrl }),
    imageRoute(storage),
  ]
}
