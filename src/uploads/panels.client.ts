import '@uppy/url/css/style.min.css'
import type { AwsBody } from '@uppy/aws-s3'
import { RequestClient } from '@uppy/companion-client'
import type { Meta } from '@uppy/core'
import Url from '@uppy/url'
import type { RemoteSource } from './remote/sources.ts'
import { restoreFiles } from './restored.client.ts'
import { NETWORK, refusal, type ShopUploader } from './ShopUppy.client.ts'
import { importLink, type LinkProgress, LINKS } from './uploads.contract.ts'
import type { UploadKind } from './uploader.rules.ts'
import { fetchUsed } from '../kit/call.client.ts'
import { required } from '../kit/values/required.ts'

/** True on phones and tablets, where the file picker can open the camera app. */
export const hasCameraApp = () => matchMedia('(pointer: coarse)').matches

export function addPanels(uppy: ShopUploader, kind: UploadKind, userId: string) {
  addLinkTab(uppy, kind)
  const sources = readSources()
  if (sources.length > 0)
    void import('./remote/remote.client.ts')
      .then(({ addSources }) => addSources(uppy, { kind, userId, sources }))
      .catch(() => undefined)
  if (!hasCameraApp() && navigator.mediaDevices)
    void import('./camera.client.ts').then(({ addCamera }) => addCamera(uppy, kind)).catch(() => undefined)
  const edit = () => {
    if (uppy.getFiles().some(({ type }) => type?.startsWith('image/')))
      void import('./editor.client.ts').then(({ addEditor }) => addEditor(uppy)).catch(() => undefined)
  }
  uppy.on('file-added', edit)
  uppy.on('restored', edit)
  restoreFiles(uppy)
}

/** Reads the configured clouds, which the server writes to the html element. */
const readSources = () =>
  (document.documentElement.dataset.remoteSources ?? '').split(',').filter((name) => name !== '') as RemoteSource[]

const CLIENT = 'shop-link'

/** Adds the library's tab for links. The shop's server replaces the library's Companion server. */
function addLinkTab(uppy: ShopUploader, kind: UploadKind) {
  uppy.use(Url<Meta, AwsBody>, {
    id: 'Url',
    target: required(uppy.getPlugin('Dashboard'), 'the dashboard'),
    companionUrl: LINKS,
    locale: { strings: { failedToFetch: 'The shop could not fetch this URL, please make sure it’s correct' } },
  })
  const tab = required(uppy.getPlugin<Url<Meta, AwsBody>>('Url'), 'the tab')
  const client = new LinkClient(uppy, kind)
  tab.client = client
  // an explicit id, because the library's default may change between versions
  uppy.registerRequestClient(CLIENT, client)
  uppy.on('file-added', (file) => {
    if (file.source === 'Url' && 'remote' in file && file.remote)
      uppy.setFileState(file.id, { remote: { ...file.remote, requestClientId: CLIENT } })
  })
}

class LinkClient extends RequestClient<Meta, AwsBody> {
  readonly #kind: UploadKind

  constructor(uppy: ShopUploader, kind: UploadKind) {
    super(uppy, { pluginId: 'Url', provider: 'url', companionUrl: LINKS })
    this.#kind = kind
  }

  /** Shows the server's reason instead of the library's message. */
  override async post<PostBody>(...call: Parameters<RequestClient<Meta, AwsBody>['post']>): Promise<PostBody> {
    try {
      return await super.post<PostBody>(...call)
    } catch (error) {
      if (error instanceof Error && error.name === 'UserFacingApiError') this.uppy.info(error.message, 'error', 6000)
      throw error
    }
  }

  override async uploadRemoteFile(
    file: Parameters<RequestClient<Meta, AwsBody>['uploadRemoteFile']>[0],
    _body: unknown,
    { signal }: { signal: AbortSignal },
  ): Promise<void> {
    try {
      const uploadURL = await this.#follow(file, signal)
      this.uppy.emit('upload-success', this.uppy.getFile(file.id), { uploadURL, status: 200 })
    } catch (error) {
      if (signal.aborted) return
      this.uppy.emit('upload-error', this.uppy.getFile(file.id), error as Error)
      throw error
    }
  }

  async #follow(
    file: { id: string; remote?: { body?: Record<string, unknown> } },
    signal: AbortSignal,
  ): Promise<string> {
    const [method, path] = importLink.line.split(' ') as [string, string]
    const response = await fetchUsed(path, {
      method,
      signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: file.remote?.body?.url, kind: this.#kind }),
    }).catch((cause: unknown) => {
      throw new Error(NETWORK, { cause })
    })
    if (response.status === 401) throw new Error('Authorization required')
    if (!response.ok) {
      const { message } = (await response.json().catch(() => ({}))) as { message?: string }
      throw new Error(refusal(response.status, message ?? 'The shop did not answer.'))
    }
    for await (const line of linesOf(response)) {
      if ('uploadURL' in line) return line.uploadURL
      if ('message' in line) throw new Error(refusal(line.status, line.message))
      this.#tell(file.id, line)
    }
    throw new Error(NETWORK)
  }

  #tell(id: string, { bytesUploaded, bytesTotal }: { bytesUploaded: number; bytesTotal: number | null }) {
    const file = this.uppy.getFile(id)
    if (!file) return
    const uploadStarted = file.progress.uploadStarted ?? Date.now()
    this.uppy.emit('upload-progress', file, { uploadStarted, bytesUploaded, bytesTotal })
  }
}

async function* linesOf(response: Response): AsyncGenerator<LinkProgress> {
  const reader = required(response.body, 'the body').pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new Error(NETWORK, { cause })
    })
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as LinkProgress
  }
}
