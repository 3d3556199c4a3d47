import * as z from 'zod/mini'
import { postOutside } from '../../kit/outside/postOutside.server.ts'
import { MAX_CODE_LENGTH, MAX_PART_LENGTH } from '../codes/codeLines.rules.ts'
import type { CodeParts } from '../codes/codeParts.rules.ts'
import type { Supplied, Supplier, SupplyRequest } from './supplier.ts'

// A supplier over HTTP: POST {url}/v1/orders with the request id as idempotency key. 200 returns codes, 202 means that
// they follow, 404 and 422 are final refusals. Any other response is unknown.

/** Limits the response size. Longer responses count as unknown. */
const MAX_ANSWER = 512 * 1024

const Shown = z.string().check(z.regex(/^\P{Cc}*$/u))
const CodeNumber = Shown.check(z.minLength(1), z.maxLength(MAX_CODE_LENGTH))
const Part = z._default(Shown.check(z.maxLength(MAX_PART_LENGTH)), '')

const Delivered = z.object({
  requestId: z.string(),
  codes: z.array(z.union([CodeNumber, z.object({ code: CodeNumber, pin: Part, serial: Part })])),
})

/** `isLocal` allows the built-in supplier on this machine. */
export function openHttpSupplier(terms: { url: string; token: string; isLocal?: boolean }): Supplier {
  const url = `${terms.url.replace(/\/$/, '')}/v1/orders`
  return {
    async request(asked) {
      const { status, answer } = await postOutside(url, {
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${terms.token}`,
          'idempotency-key': asked.requestId,
        },
        body: JSON.stringify(asked),
        mostAnswer: MAX_ANSWER,
        isLocal: terms.isLocal ?? false,
      })
      return readAnswer(asked, status, answer)
    },
  }
}

export function readAnswer({ requestId, quantity }: SupplyRequest, status: number | null, answer: string): Supplied {
  if (status === null) return { kind: 'unknown', why: 'no answer' }
  if (status === 202) return { kind: 'waiting' }
  if (status === 404 || status === 422) return { kind: 'refused', why: `the supplier answered ${status}` }
  if (status !== 200) return { kind: 'unknown', why: `the supplier answered ${status}` }
  const found = parse(answer)
  if (!found) return { kind: 'unknown', why: 'the answer is not what was agreed' }
  if (found.requestId !== requestId) return { kind: 'unknown', why: 'the answer is for another request' }
  const codes: CodeParts[] = found.codes.map((one) =>
    typeof one === 'string' ? { code: one, pin: '', serial: '' } : one,
  )
  const count = new Set(codes.map(({ code }) => code)).size
  if (codes.length !== quantity || count !== quantity)
    return { kind: 'unknown', why: `the response has ${count} codes instead of ${quantity}` }
  return { kind: 'codes', codes }
}

function parse(answer: string): z.infer<typeof Delivered> | null {
  try {
    return Delivered.parse(JSON.parse(answer))
  } catch {
    return null
  }
}
