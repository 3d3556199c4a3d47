import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'

const SavedWallet = z.object({ id: z.uuid(), label: z.string(), keptSince: z.string() })

export const listWallets = endpoint('GET /api/wallets', {
  access: 'member',
  about: "The caller's saved wallets, the newest first: Quick Buy charges that one.",
  reply: z.array(SavedWallet),
})

export const removeWallet = endpoint('DELETE /api/wallets/:id', {
  access: 'member',
  about: 'Forgets a saved wallet: the shop never charges it again, and the provider revokes it.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.array(SavedWallet),
})
