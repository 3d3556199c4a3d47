import * as z from 'zod/mini'

export const LineOfOrder = z.strictObject({ id: z.uuid(), lineId: z.uuid() })
