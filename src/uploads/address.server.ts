import { createHmac } from 'node:crypto'
import { Failure } from '../kit/failure.ts'
import { isSameSecret } from '../kit/secret.server.ts'
import { UUID } from '../kit/uuid.ts'
import type { Storage } from './storage.server.ts'
import { required } from '../kit/values/required.ts'

/** Returns the origin of PUBLIC_URL, or the requested loopback host on a developer's machine. */
export const originOf = (publicUrl: string | undefined, header: (name: string) => string | undefined) =>
  publicUrl ? new URL(publicUrl).origin : `http://${header('host')}`

/** Parses the id in the URL of an upload or its image. Throws a Failure 400 for any other URL. */
export function uploadIdOf(url: string, origin: string, { direct }: Pick<Storage, 'direct'>): string {
  const incoming = direct?.idOf(url)
  if (incoming) return incoming
  const path = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
  const match = PATH.exec(path)
  if (!match) throw new Failure(400, 'This address is not an upload of yours.', 'not_an_upload')
  return required(match[1] ?? match[2], 'the id of the upload')
}
const PATH = new RegExp(`^/(?:objects/(${UUID})(?:\\?[\\w=&%.-]*)?|images/(${UUID})/\\d+\\.(?:webp|avif))$`)

/** The signature of an upload URL permits one PUT of one upload by one account, with a maximum size and an expiry. */
type UploadTerms = {
  id: string
  userId: string
  expires: string
  maxBytes: number
}

export const signUpload = (secret: string, { id, userId, expires, maxBytes }: UploadTerms) =>
  createHmac('sha256', secret).update(['upload', 'PUT', id, userId, expires, maxBytes].join('\n')).digest('base64url')

export const isSigned = (secret: string, terms: UploadTerms, signature: string): boolean =>
  isSameSecret(signature, signUpload(secret, terms))
