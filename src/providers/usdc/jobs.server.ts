import type { Job } from '../../kit/jobs.server.ts'
import { levelAll } from './level.server.ts'
import { scan } from './scan.server.ts'
import { verifySent } from './sent.server.ts'
import type { UsdcContext } from './usdc.server.ts'

export async function watchChain(context: UsdcContext, { isForced = false } = {}) {
  const { db, mailing } = context
  const scanned = await scan(context, { isForced })
  if (scanned === 'scanned') await verifySent(context)
  await levelAll({ ...mailing, db })
}

export const usdcJobs = (context: UsdcContext): Job[] => [
  { name: 'usdc', everySeconds: 5, run: () => watchChain(context) },
]
