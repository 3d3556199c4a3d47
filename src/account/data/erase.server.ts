import { sql } from 'kysely'
import { forgetDiscountsOf } from '../../cart/discounts/ownDiscounts.store.server.ts'
import { forgetDesignOf } from '../../catalogue/sellers/design.store.server.ts'
import { forgetUnfinishedOf } from '../../catalogue/add-product/unfinished.server.ts'
import { withdrawProductsOf } from '../../catalogue/standing.store.server.ts'
import { forgetFilesOf } from '../../aftersale/disputes/evidenceFiles.server.ts'
import { forgetFactsOf } from '../../aftersale/sellerDisputes/sellerDispute.server.ts'
import { forgetRequestsOf } from '../../aftersale/refunds/request.server.ts'
import { forgetListsOf } from '../../delivery/codes/lists.store.server.ts'
import { forgetWaitsOf } from '../../delivery/codes/waits.server.ts'
import { forgetLearning } from '../../delivery/courses/learning.store.server.ts'
import { forgetDeliveriesOf } from '../../delivery/events.server.ts'
import { forgetCasesOf } from '../../delivery/cases/cases.store.server.ts'
import { forgetGiftsOf } from '../../delivery/gifts/gifts.store.server.ts'
import { forgetLicensesOf } from '../../delivery/licenses/licenses.store.server.ts'
import { forgetFollowsOf } from '../../selling/follows/follows.server.ts'
import { forgetMessagesOf } from '../../selling/messages/messages.server.ts'
import { eraseAccount, findDueAccounts, postponeErasure } from '../../identity/accounts/deletion.server.ts'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { forgetAnswersOf } from '../../moderation/cases.store.server.ts'
import { forgetInvoiceDetailsOf } from '../../purchases/invoices/invoices.store.server.ts'
import { payErasedAccounts, payLast } from '../../payments/payouts/last.server.ts'
import { removeWalletsOf } from '../../payments/wallets.server.ts'
import { forgetReviewAnswersOf } from '../../reviews/answers.server.ts'
import { forgetNewsOf } from '../../selling/news/news.server.ts'
import { releaseUpload } from '../../uploads/binding.server.ts'
import { emptyQuarantineOf } from '../../uploads/quarantine.server.ts'
import { isMoneyUnderWay } from './leaving.server.ts'

const AT_ONCE = 100

export async function eraseDueAccounts(db: Db) {
  for (const userId of await findDueAccounts(db, AT_ONCE)) {
    await inTransaction(db, async (tx) => {
      if (await isMoneyUnderWay(tx, userId)) return postponeErasure(tx, userId)
      const erased = await eraseAccount(tx, userId)
      if (!erased) return
      if (erased.pictureId) await releaseUpload(tx, erased.pictureId)
      await withdrawProductsOf(tx, userId)
      await forgetDesignOf(tx, userId)
      await forgetUnfinishedOf(tx, userId)
      await forgetDiscountsOf(tx, userId)
      await removeWalletsOf(tx, userId)
      await payLast(tx, userId)
      await forgetInvoiceDetailsOf(tx, userId)
      await forgetDeliveriesOf(tx, userId)
      await forgetLicensesOf(tx, userId)
      await forgetGiftsOf(tx, userId)
      await forgetCasesOf(tx, userId)
      await forgetLearning(tx, userId)
      await forgetListsOf(tx, userId)
      await forgetWaitsOf(tx, userId)
      await forgetRequestsOf(tx, userId)
      await forgetFactsOf(tx, userId)
      await forgetFilesOf(tx, userId)
      await forgetMessagesOf(tx, userId)
      await forgetAnswersOf(tx, userId)
      await forgetReviewAnswersOf(tx, userId)
      await forgetNewsOf(tx, userId)
      await forgetFollowsOf(tx, userId)
      await emptyQuarantineOf(tx, userId)
      // every node caches reviews with the names of their authors
      await sql`SELECT pg_notify('reviews', '')`.execute(tx)
      log.info('an account was erased', { account: userId })
    })
  }
}

export const eraseJobs = (db: Db): Job[] => [
  {
    name: 'erase_accounts',
    pool: 'other',
    cron: '41 * * * *',
    run: async () => {
      await eraseDueAccounts(db)
      await payErasedAccounts(db)
    },
  },
]
