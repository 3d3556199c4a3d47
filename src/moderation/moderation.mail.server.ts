import type { Role } from '../kit/contract.ts'
import type { Config } from '../kit/config.server.ts'
import type { Tx } from '../kit/database.server.ts'
import { sendMail } from '../kit/mail/mail.server.ts'

export type Mailing = { config: Pick<Config, 'storeName'>; publicUrl: string }
type Told = { key: string; subject: string; lines: string[]; action?: { label: string; path: string } }

/** Mails everyone who looks after the money, once for each `key`. */
export const mailFinance = (tx: Tx, mailing: Mailing, told: Told) => mailStaff(tx, mailing, ['finance', 'admin'], told)

async function mailStaff(tx: Tx, { config, publicUrl }: Mailing, roles: Role[], { key, action, ...mail }: Told) {
  const staff = await tx
    .selectFrom('users')
    .select(['id', 'email'])
    .where('role', 'in', roles)
    .where('erasedAt', 'is', null)
    .execute()
  const button = action && { action: { label: action.label, url: publicUrl + action.path } }
  for (const { id, email: to } of staff) await sendMail(tx, config, { ...mail, key: `${key}:${id}`, to, ...button })
}

/** Mails a member; an erased account gets none. Each `key` is sent once. */
export async function mailMember(tx: Tx, { config, publicUrl }: Mailing, userId: string, { action, ...mail }: Told) {
  const member = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('erasedAt', 'is', null)
    .executeTakeFirst()
  if (!member) return
  const button = action && { action: { label: action.label, url: publicUrl + action.path } }
  await sendMail(tx, config, { ...mail, to: member.email, ...button })
}
