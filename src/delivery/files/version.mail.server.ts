import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { lastOf } from '../../kit/values/required.ts'
import { findBuyersOfVersion, findNewVersion } from './files.statements.server.ts'

// Mails buyers of an earlier version about a newer file with a note of its seller.

const AT_ONCE = 500

type Mailing = {
  db: Db
  config: Pick<Config, 'storeName'>
  publicUrl: string
  unsubscribeUrlOf: (list: 'versions', userId: string) => string
}

export const versionJobs = (mailing: Mailing): Job[] => [
  { name: 'mail_new_version', pool: 'other', run: ({ fileId = '' }) => mailNewVersion(mailing, fileId) },
]

/** A buyer gets at most one mail a day about a product. */
export async function mailNewVersion({ db, config, publicUrl, unsubscribeUrlOf }: Mailing, fileId: string) {
  const [version] = await findNewVersion(db, { fileId })
  if (!version) return
  const { productId, part, title, note, seller, day } = version
  let after: string | null = null
  for (;;) {
    const buyers = await inTransaction(db, async (tx) => {
      const found = await findBuyersOfVersion(tx, { productId, part, fileId, after, limit: AT_ONCE })
      for (const { userId, email, orderId } of found)
        await sendMail(tx, config, {
          key: `version:${productId}:${userId}:${day}`,
          to: email,
          subject: `A newer version of “${title}”`,
          lines: [`${seller} has sent a newer version of “${title}”, which you bought.`, note],
          action: { label: 'Open your order', url: `${publicUrl}/orders/${orderId}` },
          unsubscribeUrl: unsubscribeUrlOf('versions', userId),
        })
      return found
    })
    if (buyers.length < AT_ONCE) return
    after = lastOf(buyers).userId
  }
}
