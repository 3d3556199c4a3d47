import type { Answer } from '../../kit/handle.server.ts'
import { JSON_HEADERS, PERSONAL } from '../../kit/serve/headers.server.ts'
import type { CompanionAnswer } from './companion.server.ts'

type Item = { icon?: string; thumbnail?: string | null; isFolder?: boolean }

/** Returns Companion's JSON without image URLs of other servers, or a message for an error page. */
export function replyOf({ status, type, body }: CompanionAnswer): string {
  if (!type.startsWith('application/json'))
    return status === 401
      ? JSON.stringify({ message: 'Authorization required' })
      : JSON.stringify({ message: 'The cloud did not answer as expected. Please try again.' })
  const reply = JSON.parse(body.toString()) as { items?: Item[] }
  if (!reply.items) return body.toString()
  const items = reply.items.map((item) => ({ ...item, icon: item.isFolder ? 'folder' : 'file', thumbnail: null }))
  return JSON.stringify({ ...reply, items })
}

export const passOn = (answer: CompanionAnswer): Answer => ({
  status: answer.status,
  headers: { ...JSON_HEADERS, 'cache-control': PERSONAL },
  body: replyOf(answer),
})
