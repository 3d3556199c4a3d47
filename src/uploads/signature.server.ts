import { createHmac } from 'node:crypto'
import { isSameSecret } from '../kit/secret.server.ts'

// The signature of an upload URL permits one PUT of one upload by one account, up to a size and a time.

type UploadTerms = { id: string; userId: string; expires: string; maxBytes: number }

/** `expires` is in whole seconds since 1970, as text. */
export const signUpload = (secret: string, { id, userId, expires, maxBytes }: UploadTerms) =>
  createHmac('sha256', secret).update(['upload', 'PUT', id, userId, expires, maxBytes].join('\n')).digest('base64url')

export const isSigned = (secret: string, terms: UploadTerms, signature: string): boolean =>
  isSameSecret(signature, signUpload(secret, terms))
