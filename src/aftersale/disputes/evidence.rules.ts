import { DID, type Use } from '../../delivery/uses.rules.ts'

export type Delivered = { title: string; kind: Use | 'access'; at: string; ip: string | null }

/** Formats '2026-11-23 14:07:09 UTC: the buyer downloaded “Night Trains” from 203.0.113.7'. */
export function deliveryLine({ title, kind, at, ip }: Delivered): string {
  const time = new Date(at).toISOString()
  return `${time.slice(0, 10)} ${time.slice(11, 19)} UTC: ${kind === 'access' ? 'access was given to' : `the buyer ${DID[kind]}`} “${title}”${ip ? ` from ${ip}` : ''}`
}

export function policyOf(selfRefundDays: number, address: string): string {
  const own =
    selfRefundDays > 0
      ? `Within ${selfRefundDays} days, buyers refund goods themselves that they have not downloaded or revealed. `
      : ''
  return `${own}Buyers can ask for a refund of any completed order. All rules: ${address}`
}
