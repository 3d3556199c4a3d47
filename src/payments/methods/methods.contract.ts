import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export type OfferedMethod = z.infer<typeof OfferedMethod>
const OfferedMethod = z.object({
  name: z.string(),
  label: z.string(),
  hint: z.string(),
  isSandbox: z.boolean(),
  /** The next step of the buyer: a window, the provider's page, or a transfer. */
  step: z.enum(['window', 'page', 'transfer']),
  canAdd: z.boolean(),
})

export type SavedMethod = z.infer<typeof SavedMethod>
const SavedMethod = z.object({ id: z.uuid(), method: z.string(), label: z.string(), keptSince: z.string() })

/** `walletId` is a saved method. Null: pay without a saved method. */
export type MethodChoice = z.infer<typeof MethodChoice>
const MethodChoice = z.object({ method: z.string(), walletId: z.nullable(z.uuid()) })

export type Methods = z.infer<typeof Methods>
export const Methods = z.object({
  methods: z.array(OfferedMethod),
  saved: z.array(SavedMethod),
  choice: MethodChoice,
})

export const MethodName = z.string().check(z.minLength(1), z.maxLength(40))

export const listMethods = endpoint('GET /api/payments/methods', {
  access: 'member',
  about:
    'The ways to pay that this shop offers, the methods that the caller saved, and the default: what the caller ' +
    'used or chose last, otherwise the newest saved method, otherwise the main one.',
  reply: Methods,
})

export const addMethod = endpoint('POST /api/payments/methods', {
  access: 'member',
  stepUp: true,
  about:
    'Leads to the page of a provider that saves a method without a payment; `ref` names it. 400 for a method that cannot, 503 while the provider is away.',
  input: z.strictObject({ method: MethodName }),
  reply: z.object({ url: z.string(), ref: z.string() }),
})

export const finishAdding = endpoint('POST /api/payments/methods/added', {
  access: 'member',
  about:
    'Saves what such a page kept, once; the page was opened with a fresh proof. 404 when it kept nothing for the caller, or the caller has removed it since.',
  input: z.strictObject({ method: MethodName, ref: z.string().check(z.regex(/^[\w-]{1,200}$/)) }),
  reply: Methods,
})

export const chooseMethod = endpoint('PUT /api/payments/methods/choice', {
  access: 'member',
  about: 'Makes a method the default of the caller. An unknown method is 400, a saved one of another member 404.',
  input: z.strictObject({ method: MethodName, walletId: z.nullable(z.uuid()) }),
  reply: Methods,
})
