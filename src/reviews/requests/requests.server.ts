import { withReturnTo } from '../../identity/sign-in/returnTo.rules.ts'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { only } from '../../kit/values/required.ts'
import { sendPush } from '../../notifications/push/push.enqueue.server.ts'
import { dismissReviewRequest, listReviewRequests, MAX_REQUESTS } from './requests.contract.ts'
import { reviewPath } from './reviewPath.rules.ts'
import * as statements from './reviewRequests.statements.server.ts'

// The shop asks each buyer once for a review of a product, some days after the first use. A trigger of the use adds the
// row of the request; this job decides about it.

const AT_ONCE = 100

export const reviewRequestRoutes: Route[] = [
  handle(listReviewRequests, async (_, { user, pool }) =>
    asJson(only(await statements.listAsked(pool, { userId: user.id, limit: MAX_REQUESTS })).json),
  ),

  handle(
    dismissReviewRequest,
    { limits: [{ per: 'account', count: 60, seconds: 60 }] },
    async ({ id }, { user, db }) => {
      await db
        .updateTable('reviewRequests')
        .set({ state: 'dismissed' })
        .where('userId', '=', user.id)
        .where('productId', '=', id)
        .where('state', '=', 'asked')
        .execute()
      return { id }
    },
  ),
]

type Mailing = {
  config: Pick<Config, 'storeName'> & { reviewRequestDays: number }
  publicUrl: string
  unsubscribeUrlOf: (list: 'reviews', userId: string) => string
}

/** Asks for all due reviews. A request and its messages commit together, so no message is lost or doubled. */
export async function askForReviews(db: Db, mailing: Mailing) {
  while ((await inTransaction(db, (tx) => askSome(tx, mailing))) === AT_ONCE);
}

async function askSome(tx: Tx, { config, publicUrl, unsubscribeUrlOf }: Mailing): Promise<number> {
  const decided = await statements.decideDue(tx, { days: config.reviewRequestDays, limit: AT_ONCE })
  for (const { userId, productId, isAsked, title, email } of decided) {
    if (!isAsked) continue
    const key = `review-request:${productId}:${userId}`
    const path = reviewPath(productId)
    const subject = `How do you like “${title}”?`
    await sendPush(tx, userId, { key, title: subject, body: 'A rating helps other shoppers.', url: path })
    if (email !== null)
      await sendMail(tx, config, {
        ...{ key, to: email, subject },
        lines: [
          `You bought “${title}” and have used it. Would you recommend it to others?`,
          'Stars are enough; words are welcome. We ask once for each product.',
        ],
        // the page of a product is public, so a signed-out reader has to sign in first
        action: { label: 'Write a review', url: publicUrl + withReturnTo('/api/login', path) },
        unsubscribeUrl: unsubscribeUrlOf('reviews', userId),
      })
  }
  return decided.length
}

export const reviewRequestJobs = (db: Db, mailing: Mailing): Job[] =>
  mailing.config.reviewRequestDays === 0
    ? []
    : [{ name: 'ask_for_reviews', pool: 'other', cron: '27 * * * *', run: () => askForReviews(db, mailing) }]
