import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { TEXT_SIZES } from './preferences.rules.ts'

const Look = z.strictObject({
  theme: z.enum(['royal-blue', 'silver', 'purple']),
  mode: z.enum(['light', 'dark']),
  textSize: z.literal([...TEXT_SIZES]),
  canZoom: z.boolean(),
})

export const getPreferences = endpoint('GET /api/preferences', {
  access: 'member',
  about: 'The look of the store for this account; null before the first save.',
  reply: z.object({ look: z.nullable(Look) }),
})

export const savePreferences = endpoint('PUT /api/preferences', {
  access: 'member',
  about: 'Saves the look of the store with the account; the last write wins.',
  input: Look,
  reply: z.object({ look: z.nullable(Look) }),
})
