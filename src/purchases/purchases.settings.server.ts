import { z } from 'zod'
import type { Given } from '../kit/config.server.ts'
import { operatorFailure } from '../kit/failure.ts'
import { isVatId, tidyVatId } from './invoices/vatId.rules.ts'

const prefix = (usual: string) =>
  z
    .string()
    .regex(/^[A-Z0-9]{1,8}$/)
    .default(usual)
    .describe('1 to 8 capital letters and digits')

export const PURCHASES_SETTINGS = {
  COMPANY_NAME: z.string().trim().min(1).max(120).optional().describe('the company that sells, up to 120 characters'),
  COMPANY_ADDRESS: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .optional()
    .describe('its address, up to 300 characters, the lines divided by |'),
  COMPANY_VAT_ID: z.string().refine(isVatId).optional().describe('its VAT ID, such as DE136695976'),
  INVOICE_PREFIX: prefix('INV'),
  CREDIT_NOTE_PREFIX: prefix('CN'),
}

export type PurchasesConfig = ReturnType<typeof resolvePurchases>

/** Sender line of mails: 'Harbour Books Ltd, 1 Quay Street, Dublin'. */
export const senderOf = ({ storeName, invoices }: { storeName: string; invoices: PurchasesConfig['invoices'] }) =>
  [invoices.company ?? storeName, ...invoices.address].join(', ')

export function resolvePurchases(given: Given<typeof PURCHASES_SETTINGS>) {
  if (given.INVOICE_PREFIX === given.CREDIT_NOTE_PREFIX)
    throw operatorFailure('CREDIT_NOTE_PREFIX: give another one than INVOICE_PREFIX.')
  return {
    invoices: {
      company: given.COMPANY_NAME ?? null,
      address: (given.COMPANY_ADDRESS ?? '')
        .split('|')
        .map((line) => line.trim())
        .filter(Boolean),
      vatId: given.COMPANY_VAT_ID ? tidyVatId(given.COMPANY_VAT_ID) : null,
      prefixes: { invoice: given.INVOICE_PREFIX, credit_note: given.CREDIT_NOTE_PREFIX },
    },
  }
}
