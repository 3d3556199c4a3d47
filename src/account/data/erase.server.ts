import { sql } from 'kysely'
import { withdrawProductsOf } from '../../catalogue/withdraw.server.ts'
import { forgetDeliveriesOf } from '../../delivery/forget.server.ts'
import { eraseAccount, findDueAccounts } from '../../identity/accounts/deletion.server.ts'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { removeWalletsOf } from '../../payments/wallets.server.ts'
import { releaseUpload } from '../../uploads/binding.server.ts'

const AT_ONCE = 100

/**
 * Erases accounts whose days of grace are over, each in one transaction. Orders, books and reviews stay, with nobody's
 * name on them, and whoever bought from the account keeps what was bought.
 */
export async function eraseDueAccounts(db: Db) {
  for (const userId of await findDueAccounts(db, AT_ONCE)) {
    await inTransaction(db, async (tx) => {
      const erased = await eraseAccount(tx, userId)
      if (!erased) return
      if (erased.pictureId) await releaseUpload(tx, erased.pictureId)
      await withdrawProductsOf(tx, userId)
      await removeWalletsOf(tx, userId)
      await forgetDeliveriesOf(tx, userId)
      // names stand in reviews that every node keeps in memory
      await sql`SELECT pg_notify('reviews', '')`.execute(tx)
      log.info('an account was erased', { account: userId })
    })
  }
}

export const eraseJobs = (db: Db): Job[] => [
  { name: 'erase_accounts', cron: '41 * * * *', run: () => eraseDueAccounts(db) },
]
