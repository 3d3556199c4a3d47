import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { sendPush } from '../../notifications/push/push.enqueue.server.ts'
import { NEWS_DAYS } from './followNews.contract.ts'
import * as statements from './follows.statements.server.ts'
import { MAX_TITLES, newsLines, newsPath, newsSubject } from './followText.rules.ts'
import type { UnfollowUrlOf } from './unfollow.pages.server.ts'

// Once a day, the shop tells each follower about the new products of one seller. Each mail is about one seller, so that
// its unsubscribe button ends the mails of this seller only. The news of other sellers wait for the next day.

type Mailing = { config: Pick<Config, 'storeName'>; publicUrl: string; unfollowUrlOf: UnfollowUrlOf }

const AT_ONCE = 500

/** Tells all followers. A claim and its messages commit together, so that no message is lost or doubled. */
export async function tellFollowers(db: Db, mailing: Mailing) {
  while ((await inTransaction(db, (tx) => tellSome(tx, mailing))) > 0);
}

async function tellSome(tx: Tx, { config, publicUrl, unfollowUrlOf }: Mailing): Promise<number> {
  const claimed = await statements.claimNews(tx, { days: NEWS_DAYS, limit: AT_ONCE, most: MAX_TITLES })
  for (const { userId, sellerId, day, email, ...news } of claimed) {
    const key = `follow:${userId}:${day}`
    const [subject, path] = [newsSubject(news), newsPath(news)]
    await sendPush(tx, userId, { key, title: subject, body: 'You follow this seller.', url: path })
    if (email !== null)
      await sendMail(tx, config, {
        ...{ key, to: email, subject, lines: newsLines(news) },
        action: { label: news.count === 1 ? 'See the product' : 'See the products', url: publicUrl + path },
        unsubscribeUrl: unfollowUrlOf(userId, sellerId),
      })
  }
  return claimed.length
}

export const followJobs = (db: Db, mailing: Mailing): Job[] => [
  { name: 'tell_followers', pool: 'other', cron: '20 7 * * *', run: () => tellFollowers(db, mailing) },
]
