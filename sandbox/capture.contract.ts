import * as z from 'zod/mini'

export const SandboxCapture = z.object({
  id: z.string(),
  orderId: z.string(),
  amount: z.string(),
  currency: z.string(),
  customId: z.nullable(z.string()),
  invoiceId: z.nullable(z.string()),
  status: z.enum(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']),
  refunded: z.string(),
  createdAt: z.string(),
})
export type SandboxCapture = z.output<typeof SandboxCapture>
