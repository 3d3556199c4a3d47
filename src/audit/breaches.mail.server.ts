import type { Config } from '../kit/config.server.ts'
import type { Tx } from '../kit/database.server.ts'
import { mailFinance } from '../notifications/mail/caseMail.server.ts'
import type { Violation } from './faults.server.ts'

export type Sender = { config: Pick<Config, 'storeName'>; publicUrl: string }

const MAX_LINES = 20

type Alert = { subject: string; intro: string; advice: string }

/** Mails new breaches to the finance staff. */
export async function mailStaff(tx: Tx, sender: Sender, fresh: Violation[], { subject, intro, advice }: Alert) {
  const more = fresh.length - MAX_LINES
  await mailFinance(tx, sender, {
    key: `ledger:${crypto.randomUUID()}`,
    subject,
    lines: [
      intro,
      ...fresh.slice(0, MAX_LINES).map(({ rule, violation }) => `${rule}: ${violation}`),
      ...(more > 0 ? [`And ${more} more.`] : []),
      `Stop payouts until you know why. ${advice}`,
    ],
    action: { label: 'Open the staff pages', path: '/admin/orders' },
  })
}
