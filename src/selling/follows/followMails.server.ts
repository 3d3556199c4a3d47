import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { sendPush } from '../../notifications/push/push.enqueue.server.ts'
import { NEW_DAYS } from './newProducts.contract.ts'
import * as statements from './follows.statements.server.ts'
import { MAX_TITLES, linesOf, pathOf, subjectOf } from './followText.rules.ts'
import type { UnfollowUrlOf } from './unfollow.pages.server.ts'

// Once a day, the shop notifies each follower of the new products of one seller. Each mail is about one seller, so that
// its unsubscribe button ends the mails of this seller only. The products of other sellers wait for the next day.

type Mailing = { config: Pick<Config, 'storeName'>; publicUrl: string; unfollowUrlOf: UnfollowUrlOf }

/** Mails of one run. The shop sends mails in the order of their time, so many at once would delay codes and receipts. */
const AT_ONCE = 500

/** Notifies followers. A claim and its messages commit together, so that no message is lost or doubled. */
export const notifyFollowers = (db: Db, { config, publicUrl, unfollowUrlOf }: Mailing) =>
  inTransaction(db, async (tx) => {
    const given = { days: NEW_DAYS, limit: AT_ONCE, maxTitles: MAX_TITLES }
    for (const claimed of await statements.claimNewProducts(tx, given)) {
      const { userId, sellerId, day, wantsFollows, email, count } = claimed
      const key = `follow:${userId}:${day}`
      const [subject, path] = [subjectOf(claimed), pathOf(claimed)]
      if (wantsFollows) await sendPush(tx, userId, { key, title: subject, body: 'You follow this seller.', url: path })
      if (email !== null)
        await sendMail(tx, config, {
          ...{ key, to: email, subject, lines: linesOf(claimed) },
          action: { label: count === 1 ? 'See the product' : 'See the products', url: publicUrl + path },
          unsubscribeUrl: unfollowUrlOf(userId, sellerId),
        })
    }
  })

export const followJobs = (db: Db, mailing: Mailing): Job[] => [
  { name: 'notify_followers', pool: 'other', cron: '*/5 7-23 * * *', run: () => notifyFollowers(db, mailing) },
]
