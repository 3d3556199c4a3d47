import { MAX_PARTS, MIN_PART_BYTES } from './parts.contract.ts'

export const partBytesOf = (sizeBytes: number) => Math.max(MIN_PART_BYTES, Math.ceil(sizeBytes / MAX_PARTS))
