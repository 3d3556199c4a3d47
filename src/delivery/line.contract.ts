import * as z from 'zod/mini'

/** A line of an order in an address. */
export const LineOfOrder = z.strictObject({ id: z.uuid(), lineId: z.uuid() })
