import { Failure } from '../kit/failure.ts'

// Why the shop refused the bytes of an upload. A repeated call hears the same, although the upload is over.

export type Refusal = Pick<Failure, 'status' | 'message' | 'code'>

export const toJson = ({ status, message, code }: Failure): string => JSON.stringify({ status, message, code })

export const refusedAs = ({ status, message, code }: Refusal): Failure => new Failure(status, message, code)
