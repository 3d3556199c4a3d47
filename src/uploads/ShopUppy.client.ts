import AwsS3, { type AwsBody } from '@uppy/aws-s3'
import { type Meta, type State, Uppy, type UppyFile } from '@uppy/core'
import { call } from '../kit/call.client.ts'
import { Failure, reasonOf } from '../kit/failure.ts'
import { readTerms } from './terms.client.ts'
import { createUpload } from './uploads.contract.ts'
import { refuseType, type UploadKind } from './uploader.rules.ts'

type Info = State<Meta, AwsBody>['info'][number] & { isSticky?: boolean }
export type ShopFile = UppyFile<Meta, AwsBody>

/** Keeps the message 'No Internet connection' until the connection is back; the library drops it at once. */
class ShopUppy extends Uppy<Meta, AwsBody> {
  override info(...[message, type = 'info', duration = 3000]: Parameters<Uppy<Meta, AwsBody>['info']>) {
    if (duration > 0 || typeof message !== 'string') return super.info(message, type, duration)
    const sticky: Info = { type, message, details: null, isSticky: true }
    this.setState({ info: [...this.getState().info, sticky] })
    this.emit('info-visible')
  }

  override hideInfo() {
    const { info } = this.getState()
    const first = info.findIndex((entry: Info) => !entry.isSticky)
    if (first < 0) return
    this.setState({ info: info.toSpliced(first, 1) })
    this.emit('info-hidden')
  }

  /** A single PUT cannot resume, so no upload offers a pause. */
  override setState(patch?: Partial<State<Meta, AwsBody>>) {
    const { capabilities } = patch ?? {}
    super.setState(capabilities ? { ...patch, capabilities: { ...capabilities, resumableUploads: false } } : patch)
  }

  dropSticky() {
    this.setState({ info: this.getState().info.filter((entry: Info) => !entry.isSticky) })
  }
}

export type ShopUploader = Uppy<Meta, AwsBody>

/** An uploader for one file of this kind. Reopening it with the same `id` restores it. The caller destroys it. */
export function createUppy(kind: UploadKind, id = 'uploader'): ShopUploader {
  const { maxBytes, types } = readTerms(kind)
  const uppy = new ShopUppy({
    id,
    allowMultipleUploadBatches: false,
    restrictions: { maxNumberOfFiles: 1, maxFileSize: maxBytes, allowedFileTypes: types },
    onBeforeFileAdded: (file, files) => {
      const problem = refuseType(kind, file.type)
      if (problem) uppy.info(problem, 'error', 5000)
      // the library then reports a duplicate
      return !problem && !Object.hasOwn(files, file.id)
    },
    logger: { debug: () => undefined, warn: () => undefined, error: () => undefined },
  })
  uppy.on('back-online', () => uppy.dropSticky())
  // a refused file would be refused again: remove it, so that another can be chosen
  uppy.on('complete', ({ failed = [] }) => {
    const refused = failed.filter(({ error }) => error?.startsWith(REFUSED))
    if (refused.length === 0) return
    uppy.cancelAll()
    uppy.info(`${refused[0]!.error!.slice(REFUSED.length)} Please choose another file.`, 'error', 8000)
  })
  uppy.use(AwsS3<Meta, AwsBody>, {
    shouldUseMultipart: false,
    getUploadParameters: (file, options) => getUploadParameters(kind, file, options),
    uploadPartBytes: (options) => AwsS3.uploadPartBytes(options).catch(explain),
  })
  return uppy
}

async function getUploadParameters(kind: UploadKind, file: ShopFile, { signal }: { signal?: AbortSignal | undefined }) {
  const { uploadURL } = await call(createUpload, {}, signal && { signal }).catch(explain)
  return {
    method: 'PUT' as const,
    url: uploadURL,
    headers: {
      'content-type': file.type || 'application/octet-stream',
      'x-upload-kind': kind,
      'x-file-name': encodeURIComponent(file.meta.name.toWellFormed()),
    },
  }
}

/** Marks a reason that a retry would not change. */
const REFUSED = 'Refused: '
const FINAL = [400, 413, 415]

/** The server's message about a file, marked when a retry would not change it. */
export const refusal = (status: number, message: string) => (FINAL.includes(status) ? REFUSED + message : message)

export const NETWORK =
  'This looks like a network error, the endpoint might be blocked by an internet provider or a firewall.'

/** Turns an error into a sentence. Keeps `source`, by which the library decides whether to retry. */
function explain(error: unknown): never {
  if (error instanceof Failure)
    throw new Error(error.status === 401 ? 'Authorization required' : (reasonOf(error) ?? error.message))
  if (error instanceof TypeError) throw new Error(NETWORK, { cause: error })
  const { source } = error as { source?: XMLHttpRequest }
  const reason = source && (source.status === 0 ? NETWORK : messageIn(source.responseText))
  const text = reason && refusal(source.status, reason)
  if (text) throw Object.assign(new Error(text, { cause: error }), { source })
  throw error
}

function messageIn(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { message?: string }).message
  } catch {
    return undefined
  }
}
