import type { Answer } from '../../kit/handle.server.ts'
import { JSON_HEADERS, PERSONAL } from '../../kit/serve/headers.server.ts'

export const answerJson = (value: unknown): Answer => ({
  status: 200,
  headers: { ...JSON_HEADERS, 'cache-control': PERSONAL },
  body: JSON.stringify(value),
})
