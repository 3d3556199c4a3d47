import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import { type Answer, handlePublic, handleRaw, type Route } from '../../src/kit/handle.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { bearerOf, isSameSecret } from '../../src/kit/secret.server.ts'
import { setSupplyFaults, type SupplyFaults } from './contract.ts'

// Simulates a supplier of codes with the wire format of docs/supplier.md. It derives codes from the request id, so a
// repeat gets the same codes, even after a restart or from another node.

export const ROOT = '/sandbox/supplier'

const Asked = z.object({ requestId: z.uuid(), sku: z.string(), quantity: z.int().check(z.minimum(1), z.maximum(9999)) })

const json = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})

export function openSandbox({ token, isProduction }: { token: string; isProduction: boolean }): { routes: Route[] } {
  let faults: SupplyFaults = { kind: 'none', asks: 0 }
  const codeOf = (request: string, n: number) =>
    `DEMO-${createHmac('sha256', token).update(`${request} ${n}`).digest('hex').slice(0, 16).toUpperCase()}`

  function answer({ requestId, quantity }: z.infer<typeof Asked>): Answer {
    const { kind } = faults
    if (kind === 'late' && faults.asks > 0) {
      faults = { ...faults, asks: faults.asks - 1 }
      return json(202, { requestId, status: 'pending' })
    }
    if (kind === 'fail') return json(500, { message: 'Try again.' })
    if (kind === 'refuse') return json(404, { message: 'No such thing.' })
    const request = kind === 'same' ? 'one for all' : requestId
    const codes = Array.from({ length: kind === 'few' ? quantity - 1 : quantity }, (_, n) =>
      codeOf(request, kind === 'doubled' ? 0 : n),
    )
    return json(200, { requestId: kind === 'other' ? crypto.randomUUID() : requestId, codes })
  }

  return {
    routes: [
      handleRaw(
        `POST ${ROOT}/v1/orders`,
        { access: 'public', about: 'Makes codes for a request, once.', body: 'bytes', isFromBrowser: false },
        async ({ header, body }) => {
          if (!isSameSecret(bearerOf(header('authorization')) ?? '', token))
            return json(401, { message: 'Unauthorized' })
          const asked = Asked.safeParse(read(body))
          return asked.success ? answer(asked.data) : json(422, { message: 'Not understood.' })
        },
      ),
      handlePublic(setSupplyFaults, async (next) => {
        // The route is public, so anyone could stop deliveries of a real shop.
        if (isProduction) throw new Failure(404, 'Not found')
        faults = next
        return faults
      }),
    ],
  }
}

function read(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}
