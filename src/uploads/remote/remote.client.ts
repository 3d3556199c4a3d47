import type { AwsBody } from '@uppy/aws-s3'
import type { Provider } from '@uppy/companion-client'
import type { Meta } from '@uppy/core'
import Dropbox from '@uppy/dropbox'
import GoogleDrive from '@uppy/google-drive'
import OneDrive from '@uppy/onedrive'
import { tabStorage } from '../../kit/storage.client.ts'
import { NETWORK, refusal, type ShopUploader } from '../ShopUppy.client.ts'
import type { UploadKind } from '../uploader.rules.ts'
import { COMPANION_PATH, type RemoteSource } from './sources.ts'
import { required } from '../../kit/values/required.ts'

// The tabs of the clouds. The library's client would send a refused file ten times.

const SILENCE_MS = 5 * 60_000
const RETRIES = 10
const MAX_WAIT_MS = 10_000

type Client = Provider<Meta, AwsBody>
type RemoteFile = Parameters<Client['uploadRemoteFile']>[0]
type Tab = { provider: Client; view: { opts: { supportsSearch?: boolean } } }

const TABS = {
  drive: ['GoogleDrive', GoogleDrive],
  dropbox: ['Dropbox', Dropbox],
  onedrive: ['OneDrive', OneDrive],
} as const

type Options = { kind: UploadKind; userId: string; sources: RemoteSource[] }

export function addSources(uppy: ShopUploader, { kind, userId, sources }: Options) {
  for (const source of sources) {
    const [id, Plugin] = TABS[source]
    uppy.use(Plugin as typeof GoogleDrive<Meta, AwsBody>, {
      ...{ id, target: required(uppy.getPlugin('Dashboard'), 'the dashboard') },
      // a complete URL, because the library derives ws or wss and the pop-up's origin from it
      companionUrl: location.origin + COMPANION_PATH,
      storage: tokensOf(userId),
    })
    const { provider, view } = uppy.getPlugin(id) as unknown as Tab
    // the shop supports no search in the cloud, so the tab only filters its list
    view.opts.supportsSearch = false
    provider.uploadRemoteFile = async (file, _body, options) => {
      const { signal } = required(options, 'the options')
      try {
        const uploadURL = await importFile(uppy, provider, { file, kind, signal })
        uppy.emit('upload-success', uppy.getFile(file.id), { uploadURL, status: 200 })
      } catch (error) {
        if (signal.aborted) return
        uppy.emit('upload-error', uppy.getFile(file.id), error as Error)
        throw error
      }
    }
  }
}

/** Stores the cloud sign-ins of this tab for this account only. */
const tokensOf = (userId: string) => ({
  setItem: async (key: string, token: string) => void tabStorage.write(`${key} ${userId}`, token),
  getItem: async (key: string) => tabStorage.read(`${key} ${userId}`),
  removeItem: async (key: string) => void tabStorage.write(`${key} ${userId}`, null),
})

type Import = { file: RemoteFile; kind: UploadKind; signal: AbortSignal }

async function importFile(uppy: ShopUploader, provider: Client, { file, kind, signal }: Import): Promise<string> {
  const { meta, type = null, remote } = uppy.getFile(file.id) as RemoteFile
  const { token } = await provider
    .post<{ token: string }>(
      required(remote?.url, 'the address at Companion'),
      { kind, name: meta.name, type },
      { signal },
    )
    .catch((error: unknown) => explain(uppy, error))
  for (let tries = 0; ; tries++) {
    const url = await follow(uppy, { id: file.id, token, signal })
    if (url) return url
    if (tries === RETRIES) throw new Error(uppy.i18n('companionError'))
    await new Promise((done) => setTimeout(done, Math.min(2 ** tries * 500, MAX_WAIT_MS)))
    signal.throwIfAborted()
  }
}

function explain(uppy: ShopUploader, error: unknown): never {
  const { name, isAuthError, cause } = error as Error & { isAuthError?: boolean }
  if (isAuthError || name === 'UserFacingApiError' || name === 'AbortError') throw error
  throw new Error((cause as Error)?.name === 'NetworkError' ? NETWORK : uppy.i18n('companionError'), { cause: error })
}

type Message =
  | { action: 'progress'; payload: { bytesUploaded: number; bytesTotal: number } }
  | { action: 'success'; payload: { url: string } }
  | { action: 'error'; payload: { error: { status: number; message: string } } }

/** Returns the URL of the upload, or null if the connection was lost. */
function follow(uppy: ShopUploader, { id, token, signal }: { id: string; token: string; signal: AbortSignal }) {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>()
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}${COMPANION_PATH}/api/${token}`)
  let clock: ReturnType<typeof setTimeout> | undefined
  const listen = () => {
    clearTimeout(clock)
    clock = setTimeout(() => reject(new Error('Timeout waiting for message from Companion socket')), SILENCE_MS)
  }
  const cancel = () => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ action: 'cancel' }))
    reject(new DOMException('Aborted', 'AbortError'))
  }
  listen()
  socket.onclose = () => resolve(null)
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    listen()
    const message = JSON.parse(data) as Message
    if (message.action === 'success') resolve(message.payload.url)
    else if (message.action === 'error') {
      const { status, message: reason } = message.payload.error
      reject(new Error(refusal(status, reason)))
    } else if (message.action === 'progress') tell(uppy, id, message.payload)
  }
  signal.addEventListener('abort', cancel)
  return promise.finally(() => {
    signal.removeEventListener('abort', cancel)
    clearTimeout(clock)
    socket.close()
  })
}

function tell(
  uppy: ShopUploader,
  id: string,
  { bytesUploaded, bytesTotal }: { bytesUploaded: number; bytesTotal: number },
) {
  const file = uppy.getFile(id)
  if (!file) return
  const uploadStarted = file.progress.uploadStarted ?? Date.now()
  uppy.emit('upload-progress', file, { uploadStarted, bytesUploaded, bytesTotal: bytesTotal || null })
}
