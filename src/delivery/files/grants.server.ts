import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../kit/database.server.ts'

// A grant belongs to a buyer, an order line and a file version. It must start within 60 s and then lasts an hour.

const START_SECONDS = 60
const LIFE_SECONDS = 3600

const inSeconds = (seconds: number) => sql<Date>`now() + ${seconds} * interval '1 second'`

type Granted = { entitlementId: string; fileId: string | null; isZip: boolean }

export function openGrants(secret: string) {
  const sign = (id: string, userId: string, expires: string) =>
    createHmac('sha256', secret).update(`download ${id} ${userId} ${expires}`).digest('base64url')

  async function issue(tx: Tx, userId: string, granted: Granted): Promise<{ url: string; expiresAt: string }> {
    const grant = await tx
      .insertInto('downloadGrants')
      .values({ ...granted, startBy: inSeconds(START_SECONDS), expiresAt: inSeconds(LIFE_SECONDS) })
      .returning(['id', 'startBy', 'expiresAt'])
      .executeTakeFirstOrThrow()
    const expires = String(grant.expiresAt.getTime())
    const url = `/downloads/${grant.id}?expires=${expires}&signature=${sign(grant.id, userId, expires)}`
    return { url, expiresAt: grant.startBy.toISOString() }
  }
  return { issue, sign }
}
