import { Failure } from '../../kit/failure.ts'
import { asJson, type Caller, handle, handlePublic, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { noteFailedSignIn } from '../audit/security.server.ts'
import { type Context, sameTime } from '../pages/context.server.ts'
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  listPasskeys,
  removePasskey,
  renamePasskey,
  signInByPasskey,
} from './passkey.contract.ts'
import { safeReturnTo } from '../sign-in/returnTo.rules.ts'
import { signInAs } from '../sign-in/finishSignIn.server.ts'
import { CEREMONY_SECONDS } from './webauthn.server.ts'

const ofAccount: Limit[] = [{ per: 'account', count: 30, seconds: 15 * 60 }]
const missing = () => new Failure(404, 'Not found')

export function passkeyRoutes(context: Context): Route[] {
  const { passkeys, cookies } = context
  const secretOf = ({ header }: Pick<Caller, 'header'>) => cookies.ceremony.of(header('cookie'))
  return [
    handle(listPasskeys, (_, { user }) => passkeys.list(user.id)),

    handle(beginPasskey, { limits: ofAccount }, async (_, { user }) =>
      withCookie(context, await passkeys.beginMaking(user)),
    ),

    handle(addPasskey, { limits: ofAccount }, async ({ name, key }, caller) => {
      await passkeys.add(caller.user, secretOf(caller), name, key)
      return passkeys.list(caller.user.id)
    }),

    handle(renamePasskey, async ({ id, name }, { user }) => {
      if (!(await passkeys.rename(user.id, id, name))) throw missing()
      return passkeys.list(user.id)
    }),

    handle(removePasskey, async ({ id }, { user }) => {
      if (!(await passkeys.remove(user, id))) throw missing()
      return passkeys.list(user.id)
    }),

    // the sign-in page calls this when it opens, so that the browser can offer a passkey in the email field
    handlePublic(beginPasskeySignIn, { limits: [{ per: 'address', count: 30, seconds: 60 }] }, async () =>
      withCookie(context, await passkeys.beginShowing()),
    ),

    handlePublic(
      signInByPasskey,
      { limits: [{ per: 'address', count: 9, seconds: 60, isShared: true }] },
      async ({ proof, returnTo }, caller) => {
        const enough = sameTime()
        const userId = await passkeys.prove(secretOf(caller), proof)
        if (!userId) {
          // the same response for an unknown passkey, a removed passkey and a wrong signature
          await noteFailedSignIn(context, 'passkey', { email: '' })
          await enough
          throw new Failure(401, 'That passkey wasn’t accepted. Try again, or use your password.', 'passkey_refused')
        }
        const session = await signInAs(context, caller, userId)
        return asJson(JSON.stringify({ to: safeReturnTo(returnTo ?? null) }), {
          'set-cookie': session,
        })
      },
    ),
  ]
}

export const withCookie = ({ cookies }: Context, { options, secret }: { options: object; secret: string }) =>
  asJson(JSON.stringify(options), { 'set-cookie': cookies.ceremony.set(secret, CEREMONY_SECONDS) })
