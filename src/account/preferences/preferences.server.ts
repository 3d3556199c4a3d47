import { now } from '../../kit/database.server.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { getPreferences, savePreferences } from './preferences.contract.ts'
import type { TextSize } from './preferences.rules.ts'

export const preferenceRoutes: Route[] = [
  handle(getPreferences, async (_, { user, db }) => {
    const look = await db
      .selectFrom('preferences')
      .select(['theme', 'mode', 'textSize', 'canZoom'])
      .where('userId', '=', user.id)
      .executeTakeFirst()
    return { look: look ? { ...look, textSize: look.textSize as TextSize } : null }
  }),

  handle(savePreferences, { limits: [{ per: 'account', count: 60, seconds: 60 }] }, async (look, { user, db }) => {
    await db
      .insertInto('preferences')
      .values({ userId: user.id, ...look })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet({ ...look, updatedAt: now }))
      .execute()
    return { look }
  }),
]
