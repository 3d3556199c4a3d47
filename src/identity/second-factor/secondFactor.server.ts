import { randomUUID } from 'node:crypto'
import { encode } from 'uqr'
import type { Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route, type User } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { noteFactor } from '../audit/security.server.ts'
import { checkPassword } from '../password/password.store.server.ts'
import type { Context } from '../pages/context.server.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from './secondFactor.contract.ts'
import { keyUri } from './totp.rules.ts'
import { mailText } from '../mails.server.ts'

const limits: Limit[] = [{ per: 'account', count: 10, seconds: 15 * 60, isShared: true }]

export function secondFactorRoutes(context: Context): Route[] {
  const { secondFactors, config } = context
  const status = async (userId: string) => ({
    isOn: await secondFactors.isOn(userId),
    recoveryCodesLeft: await secondFactors.recoveryCodesLeft(userId),
  })
  return [
    handle(getSecondFactor, (_, { user }) => status(user.id)),

    handle(beginSecondFactor, { limits }, async ({ password }, { user, db }) => {
      await checkPassword(db, user.id, password, 'password')
      const key = await secondFactors.begin(user.id)
      if (!key) throw new Failure(409, 'Two-factor authentication is already on.', 'on')
      const uri = keyUri(key, config.storeName, user.email)
      return { key, uri, qr: drawQr(uri) }
    }),

    handle(confirmSecondFactor, { limits }, async ({ code }, { user }) => {
      const recoveryCodes = await secondFactors.confirm(user.id, code, (tx) => tell(tx, context, user, true))
      if (!recoveryCodes)
        throw new Failure(409, 'That code isn’t right. Wait for the next one and type it at once.', 'wrong_code', {
          details: { field: 'code' },
        })
      return { recoveryCodes }
    }),

    handle(renewRecoveryCodes, { limits }, async ({ password }, { user, db }) => {
      await checkPassword(db, user.id, password, 'password')
      const recoveryCodes = await secondFactors.renew(user.id)
      if (!recoveryCodes) throw new Failure(409, 'Two-factor authentication is not on.', 'off')
      return { recoveryCodes }
    }),

    handle(endSecondFactor, { limits }, async ({ password }, { user, db }) => {
      await checkPassword(db, user.id, password, 'password')
      await secondFactors.end(user.id, (tx) => tell(tx, context, user, false))
      return status(user.id)
    }),
  ]
}

/** Returns a QR code as an SVG path of its dark modules, with the quiet zone that QR readers need. */
function drawQr(text: string) {
  const { size, data } = encode(text, { ecc: 'M', border: 2 })
  const runs = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).filter((run) => run !== ''),
  )
  return { size, path: runs.join('') }
}

async function tell(tx: Tx, { config }: Context, { id, email }: Pick<User, 'id' | 'email'>, isOn: boolean) {
  await noteFactor(tx, id, isOn ? 'factor_on' : 'factor_off')
  await mailText(tx, config, `second-factor-${isOn ? 'on' : 'off'}`, { id: randomUUID(), to: email })
}
