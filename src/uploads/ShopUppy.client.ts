import AwsS3, { type AwsBody } from '@uppy/aws-s3'
import { type Meta, type State, Uppy, type UppyFile } from '@uppy/core'
import { call } from '../kit/call.client.ts'
import { Failure } from '../kit/failure.ts'
import { createUpload } from './uploads.contract.ts'
import { refuseType, type UploadKind, UPLOADS } from './uploader.rules.ts'

// The uploader library with what the specification asks of it beyond its own ways.

type Info = State<Meta, AwsBody>['info'][number] & { isSticky?: boolean }
export type ShopFile = UppyFile<Meta, AwsBody>

/** Keeps a message of no duration ('No Internet connection') until the connection is back; the library drops it at once. */
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

  dropSticky() {
    this.setState({ info: this.getState().info.filter((entry: Info) => !entry.isSticky) })
  }
}

/** An uploader for one file of this kind, which puts it under a signed URL of the shop. Whoever made it destroys it. */
export function createUppy(kind: UploadKind): Uppy<Meta, AwsBody> {
  const { maxBytes, types } = UPLOADS[kind]
  const uppy = new ShopUppy({
    allowMultipleUploadBatches: false,
    restrictions: { maxNumberOfFiles: 1, maxFileSize: maxBytes, allowedFileTypes: types },
    onBeforeFileAdded: (file) => {
      const problem = refuseType(kind, file.type)
      if (problem) uppy.info(problem, 'error', 5000)
      return !problem
    },
    // what goes wrong is told on the screen
    logger: { debug: () => undefined, warn: () => undefined, error: () => undefined },
  })
  uppy.on('back-online', () => uppy.dropSticky())
  uppy.use(AwsS3<Meta, AwsBody>, {
    shouldUseMultipart: false,
    getUploadParameters,
    uploadPartBytes: (options) => AwsS3.uploadPartBytes(options).catch(explain),
  })
  return uppy
}

async function getUploadParameters(file: ShopFile, { signal }: { signal?: AbortSignal | undefined }) {
  const { uploadURL } = await call(createUpload, {}, signal && { signal }).catch(explain)
  return {
    method: 'PUT' as const,
    url: uploadURL,
    headers: {
      'content-type': file.type || 'application/octet-stream',
      'x-file-name': encodeURIComponent(file.meta.name.toWellFormed()),
    },
  }
}

const NETWORK = 'This looks like a network error, the endpoint might be blocked by an internet provider or a firewall.'

/** Says in a sentence what went wrong; `source` stays, because the library decides by it whether to try again. */
function explain(error: unknown): never {
  if (error instanceof Failure) throw new Error(error.status === 401 ? 'Authorization required' : textOf(error))
  if (error instanceof TypeError) throw new Error(NETWORK, { cause: error })
  const { source } = error as { source?: XMLHttpRequest }
  const text = source && (source.status === 0 ? NETWORK : messageIn(source.responseText))
  if (text) throw Object.assign(new Error(text, { cause: error }), { source })
  throw error
}

const textOf = ({ details, message }: Failure) => (typeof details?.message === 'string' ? details.message : message)

function messageIn(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { message?: string }).message
  } catch {
    return undefined
  }
}
