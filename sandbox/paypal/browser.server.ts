import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../src/kit/failure.ts'
import { type Answer, handleRaw, type Page, type RawRoute } from '../../src/kit/handle.server.ts'
import { COMMON } from '../../src/kit/serve/headers.server.ts'
import { inBooks, readEntry, writeBooks } from './store.server.ts'
import type { Sandbox } from './call.server.ts'
import { chooseAndWrite } from './doors.server.ts'
import { type Choice, isAlive } from './orders.server.ts'
import { endingPage, keepingPage, type Mode, modeOf, paymentPage, refusedPage, waitingPage } from './popup.server.ts'
import { instanceRoute } from './tokens.server.ts'
import { chooseToKeep } from './vault.server.ts'
import { type Order, type SetupToken } from './wire.server.ts'

const SDK = readFileSync(join(import.meta.dirname, 'sdk.js'), 'utf8')

const choiceOf = (text: string | null): Choice => (text === 'pay' || text === 'decline' ? text : 'cancel')
const UNKNOWN = 'This payment is not known, or it has expired'
const COMPLETE = 'This payment is complete already'

/** What the payer's browser asks for: the script, the payment window, and what the payer chose there. */
export function browserRoutes(sandbox: Sandbox): RawRoute[] {
  const isTls = sandbox.base.startsWith('https:')
  const form = { access: 'public', body: 'bytes', bodyLimit: 8192 } as const
  const fieldsOf = ({ body }: Page) => new URLSearchParams(body.toString('utf8'))

  const refusePayment = (token: string, mode: Mode, status: number) => {
    const message = status === 409 ? COMPLETE : UNKNOWN
    return refusedPage(message, { action: 'checkoutnow', fields: { token }, status, mode, isTls })
  }

  return [
    handleRaw(
      'GET /sandbox/paypal/web-sdk/v6/core',
      { access: 'public', about: "The sandbox's browser script, as the provider's version 6." },
      async () => ({
        status: 200,
        headers: {
          ...COMMON,
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'public, max-age=300',
        },
        body: SDK,
      }),
    ),

    instanceRoute(sandbox.keys),

    handleRaw(
      'GET /sandbox/paypal/checkoutnow',
      { access: 'public', about: 'The payment window.' },
      async ({ query }): Promise<Answer> => {
        const token = query.get('token')
        if (!token) return waitingPage(sandbox.storeName, isTls)
        const mode = modeOf(query.get('mode'))
        const order = await readEntry<Order>(sandbox.pool, 'order', token)
        if (!isAlive(order)) return refusePayment(token, mode, 404)
        if (order.status === 'COMPLETED') return refusePayment(token, mode, 409)
        return paymentPage(order, { mode, isTls })
      },
    ),

    handleRaw(
      'POST /sandbox/paypal/checkoutnow',
      { ...form, about: 'What the payer chose in the payment window.' },
      async (page): Promise<Answer> => {
        const fields = fieldsOf(page)
        const token = fields.get('token') ?? ''
        const mode = modeOf(fields.get('mode'))
        const choice = choiceOf(fields.get('choice'))
        if (choice === 'cancel') {
          const order = await readEntry<Order>(sandbox.pool, 'order', token)
          const back = backTo(order?.cancelUrl, { token })
          return endingPage({ outcome: 'canceled', token, payerId: 'SANDBOXBUYER1', back }, { mode, isTls })
        }
        try {
          const order = await chooseAndWrite(sandbox, token, choice, fields.get('keep') === '1')
          const back = backTo(order.returnUrl, { token, PayerID: 'SANDBOXBUYER1' })
          return endingPage({ outcome: 'approved', token, payerId: 'SANDBOXBUYER1', back }, { mode, isTls })
        } catch (error) {
          if (error instanceof Failure) return refusePayment(token, mode, error.status)
          throw error
        }
      },
    ),

    handleRaw(
      'GET /sandbox/paypal/agreements/approve',
      { access: 'public', about: 'The window that asks to keep a wallet.' },
      async ({ query }): Promise<Answer> => {
        const id = query.get('approval_session_id') ?? ''
        const mode = modeOf(query.get('mode'))
        const token = await readEntry<SetupToken>(sandbox.pool, 'setup_token', id)
        if (token && token.status !== 'VAULTED') return keepingPage(token, { mode, isTls })
        const fields = { approval_session_id: id }
        return refusedPage('This request is not known', {
          action: 'approve',
          fields,
          status: 404,
          mode,
          isTls,
        })
      },
    ),

    handleRaw(
      'POST /sandbox/paypal/agreements/approve',
      { ...form, about: 'What the payer chose about keeping a wallet.' },
      async (page): Promise<Answer> => {
        const fields = fieldsOf(page)
        const id = fields.get('approval_session_id') ?? ''
        const mode = modeOf(fields.get('mode'))
        const token = await inBooks(sandbox.pool, async (client) => {
          const chosen = await chooseToKeep(client, id, choiceOf(fields.get('choice')))
          await writeBooks(client, chosen.entries, [])
          return chosen.entries.length > 0 ? chosen.token : null
        })
        const ending = token
          ? ({ outcome: 'approved', token: id, payerId: null, back: token.returnUrl } as const)
          : ({ outcome: 'canceled', token: id, payerId: null, back: null } as const)
        return endingPage(ending, { mode, isTls })
      },
    ),
  ]
}

/** The shop's return address with what the provider adds to it. */
function backTo(url: string | null | undefined, more: Record<string, string>): string | null {
  if (!url || !URL.canParse(url)) return null
  const back = new URL(url)
  for (const [name, value] of Object.entries(more)) back.searchParams.set(name, value)
  return back.href
}
