import type { Role } from '../../kit/contract.ts'
import type { Config } from '../../kit/config.server.ts'
import type { Tx } from '../../kit/database.server.ts'
import { type Mail, sendMail } from '../../kit/mail/mail.server.ts'

export type Mailing = { config: Pick<Config, 'storeName'>; publicUrl: string }
type CaseMail = Pick<Mail, 'key' | 'subject' | 'lines' | 'unsubscribeUrl'> & {
  action?: { label: string; path: string }
}

type StaffMail = CaseMail & {
  exceptId?: string
}

export const mailFinance = (tx: Tx, mailing: Mailing, mail: StaffMail) =>
  mailStaff(tx, mailing, ['finance', 'admin'], mail)

export const mailSupport = (tx: Tx, mailing: Mailing, mail: StaffMail) =>
  mailStaff(tx, mailing, ['support', 'admin'], mail)

async function mailStaff(
  tx: Tx,
  { config, publicUrl }: Mailing,
  roles: Role[],
  { key, action, exceptId, ...mail }: StaffMail,
) {
  const staff = await tx
    .selectFrom('users')
    .select(['id', 'email'])
    .where('role', 'in', roles)
    .where('erasedAt', 'is', null)
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId as string))
    .execute()
  const button = action && { action: { label: action.label, url: publicUrl + action.path } }
  for (const { id, email: to } of staff) await sendMail(tx, config, { ...mail, key: `${key}:${id}`, to, ...button })
}

/** Mails a member, but not an erased account. Sends each `key` once. */
export async function mailMember(
  tx: Tx,
  { config, publicUrl }: Mailing,
  userId: string,
  { action, ...mail }: CaseMail,
) {
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
