import type { SandboxCapture } from '../sandbox/capture.contract.ts'
import type { TestShop } from './shop.ts'

/** A payer with an id, in place of the sandbox's anonymous buyer. */
export type TestPayer = { payer: string; country?: string; unverified?: '1' }
export type DisputeEnd = 'win' | 'lose' | 'silent'
export type Faults = { rate: number; kinds: string[]; latencyMs?: number }

/** The test calls of the payment sandbox: the payer's choices, faults and the list of captures. */
export function provider({ url }: Pick<TestShop, 'url'>) {
  const base = `${url}/sandbox/paypal/test`
  const press = async (what: 'approve' | 'decline' | 'cancel', providerOrderId: string, payer?: TestPayer) => {
    const query = new URLSearchParams(payer)
    const response = await fetch(`${base}/orders/${providerOrderId}/${what}?${query}`, { method: 'POST' })
    if (response.status !== 204) throw new Error(`${what}: ${response.status} ${await response.text()}`)
  }
  return {
    approve: (id: string, payer?: TestPayer) => press('approve', id, payer),
    decline: (id: string, payer?: TestPayer) => press('decline', id, payer),
    cancel: (id: string) => press('cancel', id),
    setFaults: async (faults: Faults) => {
      const response = await fetch(`${base}/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(faults),
      })
      if (!response.ok) throw new Error(`faults: ${response.status} ${await response.text()}`)
    },
    /** The payer disputes a capture. Returns the id of the dispute. */
    dispute: async (captureId: string, cents?: number, stage: 'INQUIRY' | 'CHARGEBACK' = 'CHARGEBACK') => {
      const query = new URLSearchParams({ stage, ...(cents !== undefined && { cents: String(cents) }) })
      const response = await fetch(`${base}/captures/${captureId}/dispute?${query}`, { method: 'POST' })
      if (response.status !== 201) throw new Error(`dispute: ${response.status} ${await response.text()}`)
      return ((await response.json()) as { id: string }).id
    },
    /** `cents` is the amount that the buyer gets from a lost dispute; the default is the whole amount. */
    endDispute: async (id: string, how: DisputeEnd, cents?: number) => {
      const query = cents === undefined ? '' : `?cents=${cents}`
      const response = await fetch(`${base}/disputes/${id}/${how}${query}`, { method: 'POST' })
      if (response.status !== 204) throw new Error(`${how}: ${response.status} ${await response.text()}`)
    },
    captures: async () => (await (await fetch(`${base}/captures`)).json()) as (SandboxCapture & { customId: string })[],
  }
}
