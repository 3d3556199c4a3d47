import { codeOf } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'

export const tooLarge = (maxBytes: number) =>
  new Failure(413, `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`, 'too_large')

export const noRoom = () =>
  new Failure(507, 'There’s no room for this file right now. Please try again later.', 'no_room')

export const sizeMissing = () =>
  new Failure(400, 'Announce the size of the file: X-File-Size, or metadata[size].', 'size_missing')

export const emptyFile = () => new Failure(400, 'The file is empty.', 'empty')

export const alreadyThere = () => new Failure(409, 'There is a file under this address already.', 'exists')

export const badDigest = () =>
  new Failure(400, 'The SHA256 you specified did not match the calculated checksum.', 'BadDigest')

/** Converts a connection error to a refusal; null for another error. */
export const interrupted = (error: unknown): Failure | null =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(codeOf(error))
    ? new Failure(400, 'The upload was interrupted.', 'interrupted')
    : null

export const noSuchUpload = () =>
  new Failure(
    404,
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
    'NoSuchUpload',
  )

/** Why an upload was refused. Stored, so that a repeated call returns the same error. */
export type Refusal = Pick<Failure, 'status' | 'message' | 'code'>

export const refusalJson = ({ status, message, code }: Failure): string => JSON.stringify({ status, message, code })

export const refusedAs = ({ status, message, code }: Refusal): Failure => new Failure(status, message, code)
