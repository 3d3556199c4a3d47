import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { firstOf } from '../../kit/values/required.ts'
import { sendPush } from '../../notifications/push/push.enqueue.server.ts'
import { NEW_DAYS } from './newProducts.contract.ts'
import * as statements from './follows.statements.server.ts'
import { MAX_TITLES, linesOf, pathOf, subjectOf } from './followText.rules.ts'
import type { UnfollowUrlOf } from './unfollow.pages.server.ts'

// Once a day, the shop notifies each follower of the new products of all followed sellers, in one mail. If the mail is about
// one seller, its unsubscribe button ends the mails about this seller. Otherwise it ends all these mails.

type Mailing = {
  config: Pick<Config, 'storeName'>
  publicUrl: string
  unfollowUrlOf: UnfollowUrlOf
  unsubscribeUrlOf: (list: 'follows', userId: string) => string
}

/** Mails of one run. The shop sends mails in the order of their time, so many at once would delay codes and receipts. */
const AT_ONCE = 500

/** Notifies followers. A claim and its messages commit together, so that no message is lost or doubled. */
export const notifyFollowers = (db: Db, mailing: Mailing) =>
  inTransaction(db, async (tx) => {
    const given = { days: NEW_DAYS, limit: AT_ONCE, maxTitles: MAX_TITLES }
    const claimed = await statements.claimNewProducts(tx, given)
    for (const sellers of Map.groupBy(claimed, ({ userId }) => userId).values()) await notify(tx, mailing, sellers)
  })

/** Notifies a member of the new products of these sellers. */
async function notify(tx: Tx, mailing: Mailing, sellers: statements.ClaimNewProductsRow[]) {
  const { config, publicUrl, unfollowUrlOf, unsubscribeUrlOf } = mailing
  const first = firstOf(sellers)
  const { userId, sellerId, day, wantsFollows, email } = first
  const isOne = sellers.length === 1
  const key = `follow:${userId}:${day}`
  const subject = subjectOf(sellers)
  const path = isOne ? pathOf(first) : '/library'
  const body = isOne ? 'You follow this seller.' : 'You follow these sellers.'
  if (wantsFollows) await sendPush(tx, userId, { key, title: subject, body, url: path })
  if (email !== null)
    await sendMail(tx, config, {
      ...{ key, to: email, subject, lines: linesOf(sellers) },
      action: { label: isOne && first.count === 1 ? 'See the product' : 'See the products', url: publicUrl + path },
      unsubscribeUrl: isOne ? unfollowUrlOf(userId, sellerId) : unsubscribeUrlOf('follows', userId),
    })
}

export const followJobs = (db: Db, mailing: Mailing): Job[] => [
  { name: 'notify_followers', pool: 'other', cron: '*/5 7-23 * * *', run: () => notifyFollowers(db, mailing) },
]
