import AwsS3, { type AwsBody } from '@uppy/aws-s3'
import { type Meta, type State, Uppy } from '@uppy/core'
import { call } from '../kit/call.client.ts'
import { Failure, reasonOf } from '../kit/failure.ts'
import { shrinkLarge } from './images/shrink.client.ts'
import { hashOf } from './parts/fingerprint.client.ts'
import { findEarlier, isParted, partOptions, persist, type ShopFile } from './parts/parts.client.ts'
import { readText } from './s3/xml.rules.ts'
import { readTerms } from './terms.client.ts'
import { createUpload, finishUpload } from './uploads.contract.ts'
import { kindOf, refuseType, type UploadKind, UPLOADS_AT_ONCE, type UploadUse } from './uploader.rules.ts'

type Info = State<Meta, AwsBody>['info'][number] & { isSticky?: boolean; isProblem?: boolean }

const MAX_PROBLEMS = 4

/**
 * Shows errors until the member closes them or uploads again, and 'No Internet connection' until the connection is
 * back. Uppy would hide both after seconds.
 */
class ShopUppy extends Uppy<Meta, AwsBody> {
  #isLeft = false

  override info(...[message, type = 'info', duration = 3000]: Parameters<Uppy<Meta, AwsBody>['info']>) {
    if (duration > 0 && type !== 'error') return super.info(message, type, duration)
    const said = typeof message === 'string' ? { message, details: null } : message
    const sticky: Info = { type, ...said, isSticky: true, isProblem: duration > 0 }
    const all: Info[] = [...this.getState().info, sticky]
    const tooMany = all.filter(({ isProblem }) => isProblem).slice(0, -MAX_PROBLEMS)
    this.setState({ info: all.filter((entry) => !tooMany.includes(entry)) })
    this.emit('info-visible')
  }

  countProblems(): number {
    return this.getState().info.filter(({ isProblem }: Info) => isProblem).length
  }

  closeProblems() {
    if (this.countProblems() === 0) return
    this.setState({ info: this.getState().info.filter(({ isProblem }: Info) => !isProblem) })
    this.emit('info-hidden')
  }

  override hideInfo() {
    const { info } = this.getState()
    const first = info.findIndex((entry: Info) => !entry.isSticky)
    if (first < 0) return
    this.setState({ info: info.toSpliced(first, 1) })
    this.emit('info-hidden')
  }

  /** Only uploads in parts can pause and resume, because a single PUT would start over. */
  override setState(patch?: Partial<State<Meta, AwsBody>>) {
    super.setState(patch)
    const { files, capabilities } = this.getState()
    const resumableUploads = Object.values(files ?? {}).some((file) => isParted(file) && !file.isRemote)
    if (capabilities && capabilities.resumableUploads !== resumableUploads)
      super.setState({ capabilities: { ...capabilities, resumableUploads } })
  }

  /** Closes the uploader. The server stores the sent parts for a day, so that the upload can resume. */
  leave() {
    this.#isLeft = true
    this.destroy()
  }

  isWanted(id: string): boolean {
    return this.#isLeft || this.getFile(id) !== undefined
  }

  dropSticky() {
    this.setState({ info: this.getState().info.filter(({ isSticky, isProblem }: Info) => !isSticky || isProblem) })
  }
}

export type ShopUploader = Uppy<Meta, AwsBody> & Pick<ShopUppy, 'leave' | 'countProblems' | 'closeProblems'>

/** Creates an uploader for at most `most` files. The same `id` restores files later. The caller must destroy it. */
export function createUppy(use: UploadUse, { id = 'uploader', most = 1 } = {}): ShopUploader {
  const kind = kindOf(use)
  const { maxBytes, types } = readTerms(use)
  const uppy = new ShopUppy({
    id,
    allowMultipleUploadBatches: most > 1,
    restrictions: { maxNumberOfFiles: most, maxFileSize: maxBytes, allowedFileTypes: types },
    onBeforeFileAdded: (file, files) => {
      const problem = refuseType(kind, file.type)
      if (problem) uppy.info(problem, 'error', 5000)
      // false makes the library report a duplicate
      return !problem && !Object.hasOwn(files, file.id)
    },
    logger: { debug: () => undefined, warn: () => undefined, error: () => undefined },
  })
  uppy.on('back-online', () => uppy.dropSticky())
  uppy.on('upload', () => uppy.closeProblems())
  // a retry would be refused again, so remove the file and let the member choose another
  uppy.on('complete', ({ failed = [] }) => {
    const refused = failed.filter(({ error }) => error?.startsWith(REFUSED))
    if (refused.length === 0) return
    for (const { id: refusedId, name, error } of refused) {
      uppy.removeFile(refusedId)
      const reason = error?.slice(REFUSED.length)
      uppy.info(`${most > 1 ? `${name}: ` : ''}${reason} Please choose another file.`, 'error', 8000)
    }
  })
  // uploads sent directly to the object store that wait for their acceptance by the shop
  const direct = new Map<string, string>()
  if (kind === 'image') uppy.addPreProcessor((ids) => shrinkLarge(uppy, ids))
  uppy.addPreProcessor((ids) => resumeEarlier(uppy, ids))
  uppy.use(AwsS3<Meta, AwsBody>, {
    ...partOptions(kind, (file) => uppy.isWanted(file.id), explain),
    // the library sends six requests at a time, which the server refuses for several files
    ...(most > 1 && { limit: UPLOADS_AT_ONCE }),
    getUploadParameters: async (file, { signal }) => {
      const { id: uploadId, ...target } = await issue(kind, file, signal)
      if (!isOwn(target.url)) direct.set(target.url, uploadId)
      return target
    },
    uploadPartBytes: async (options) => {
      const sent = await AwsS3.uploadPartBytes(options).catch(explain)
      const waiting = direct.get(options.signature.url)
      if (!waiting) return sent
      const { uploadURL } = await persist(() => call(finishUpload, { id: waiting })).catch(explain)
      return { ...sent, location: uploadURL }
    },
  })
  return uppy
}

async function resumeEarlier(uppy: ShopUploader, ids: string[]) {
  for (const file of ids.map((id) => uppy.getFile(id))) {
    if (!file || file.isRemote || !isParted(file) || !(file.data instanceof Blob)) continue
    const s3Multipart = await findEarlier(file).catch(() => undefined)
    uppy.setFileState(file.id, { s3Multipart } as Partial<ShopFile>)
  }
}

const isOwn = (url: string) => url.startsWith(globalThis.location?.origin ?? '')

/** Requests the target of a PUT. Its signature fixes the announced name, type, size and hash. */
async function issue(kind: UploadKind, file: ShopFile, signal: AbortSignal | undefined) {
  const type = file.type || 'application/octet-stream'
  const name = encodeURIComponent(file.meta.name.toWellFormed())
  const sha256 = file.data instanceof Blob ? await hashOf(file.data) : undefined
  const headers = {
    ...{ 'x-upload-kind': kind, 'x-file-name': name, 'x-file-type': type, 'x-file-size': String(file.size ?? '') },
    ...(sha256 && { 'x-file-sha256': sha256 }),
  }
  const {
    uploadURL,
    id,
    headers: signed,
  } = await call(createUpload, {}, { headers, ...(signal && { signal }) }).catch(explain)
  const own = { 'content-type': type, 'x-upload-kind': kind, 'x-file-name': name }
  return { id, method: 'PUT' as const, url: uploadURL, headers: isOwn(uploadURL) ? { ...own, ...signed } : signed }
}

const REFUSED = 'Refused: '
const FINAL = [400, 413, 415]

/** Marks the server's message if a retry cannot succeed. */
export const refusal = (status: number, message: string) => (FINAL.includes(status) ? REFUSED + message : message)

export const NETWORK =
  'This looks like a network error, the endpoint might be blocked by an internet provider or a firewall.'

/** Converts an error to a sentence. Copies `source`, because the library uses it to decide on retries. */
function explain(error: unknown): never {
  if (error instanceof Failure)
    throw new Error(
      error.status === 401 ? 'Authorization required' : refusal(error.status, reasonOf(error) ?? error.message),
    )
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
    return readText(body, 'Message') ?? undefined
  }
}
