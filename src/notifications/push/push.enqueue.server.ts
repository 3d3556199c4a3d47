import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import type { Db, Tx } from '../../kit/database.server.ts'
import { queuePushes } from './push.statements.server.ts'

export type Push = {
  key: string
  title: string
  body: string
  url: string
}

export async function sendPush(tx: Tx | Db, userId: string, { key, title, body, url }: Push) {
  const message = { title: isolateRtl(title), body: isolateRtl(body), url }
  await queuePushes(tx, { userId, key, message: JSON.stringify(message) })
}
