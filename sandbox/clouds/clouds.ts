import { createServer, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { required } from '../../src/kit/values/required.ts'

// Simulates Google Drive, Dropbox and OneDrive. Redirects this process's connections to their hosts.

export type CloudFile = { id: string; name: string; type: string; bytes: Buffer }

export type Clouds = {
  requests: string[]
  stop: () => Promise<void>
}

const HOSTS = [
  ...['oauth2.googleapis.com', 'www.googleapis.com', 'accounts.google.com'],
  ...['api.dropbox.com', 'api.dropboxapi.com', 'content.dropboxapi.com'],
  ...['login.microsoftonline.com', 'graph.microsoft.com'],
]
const SECRET = 'the secret of the client'
const CODE = 'code-'
const TOKEN = 'the token of a member'
export const CLOUD_CLIENT = { key: 'the-client', secret: SECRET }

export function signInAt(page: string, choice: 'allow' | 'deny' = 'allow'): string {
  const query = new URL(page).searchParams
  const back = new URL(required(query.get('redirect_uri'), 'redirect_uri'))
  back.searchParams.set('state', required(query.get('state'), 'the state'))
  if (choice === 'deny') back.searchParams.set('error', 'access_denied')
  else back.searchParams.set('code', CODE + crypto.randomUUID())
  return back.href
}

type Reply = { status?: number; json?: unknown; bytes?: Buffer }

export async function startClouds(files: CloudFile[]): Promise<Clouds> {
  const requests: string[] = []
  const used = new Set<string>()

  async function answer(request: IncomingMessage): Promise<Reply> {
    const { host = '', authorization } = request.headers
    const { pathname, searchParams } = new URL(required(request.url, 'the url of the request'), 'https://cloud')
    const body = await text(request)
    requests.push(`${host}${pathname}`)
    if (pathname.endsWith('/token')) return exchangeCode(new URLSearchParams(body), used)
    if (authorization !== `Bearer ${TOKEN}`) return { status: 401, json: { error: { message: 'Invalid Credentials' } } }
    const reply = () => {
      if (host === 'www.googleapis.com') return drive(files, pathname.replace('/drive/v3/', ''), searchParams)
      if (host === 'graph.microsoft.com') return oneDrive(files, pathname.replace('/v1.0/', ''))
      return dropbox(files, pathname.replace('/2/', ''), body, request)
    }
    return reply() ?? { status: 404, json: {} }
  }

  const server = createServer((request, response) => {
    void answer(request).then(({ status = 200, json, bytes }) => {
      const sent = bytes ?? Buffer.from(JSON.stringify(json))
      response
        .writeHead(status, {
          'content-type': bytes ? 'application/octet-stream' : 'application/json',
          'content-length': sent.length,
        })
        .end(sent)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const agent = https.globalAgent as https.Agent & { createConnection: (options: { host?: string }) => unknown }
  const usual = agent.createConnection.bind(agent)
  agent.createConnection = (options, ...rest: []) =>
    HOSTS.includes(options.host ?? '') ? connect(port, '127.0.0.1') : usual(options, ...rest)

  return {
    requests,
    async stop() {
      agent.createConnection = usual
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function exchangeCode(form: URLSearchParams, used: Set<string>): Reply {
  const code = form.get('code') ?? ''
  if (!code.startsWith(CODE) || used.has(code) || form.get('client_secret') !== SECRET)
    return { status: 400, json: { error: 'invalid_grant' } }
  used.add(code)
  return { json: { access_token: TOKEN, refresh_token: 'refresh', expires_in: 3600, token_type: 'Bearer' } }
}

const find = (files: CloudFile[], id: string | undefined) => files.find((file) => file.id === id)

const driveFile = ({ id, name, type, bytes }: CloudFile) => ({
  ...{ kind: 'drive#file', id, name, mimeType: type, size: String(bytes.length), ownedByMe: true },
  ...{ modifiedTime: '2026-01-01T00:00:00Z', iconLink: 'https://icons.example/file' },
  thumbnailLink: 'https://thumbnails.example/file',
})

function drive(files: CloudFile[], path: string, query: URLSearchParams): Reply | null {
  if (path === 'about') return { json: { user: { emailAddress: 'member@cloud.example' } } }
  if (path === 'drives') return { json: { drives: [] } }
  if (path === 'files') return { json: { files: files.map(driveFile) } }
  const file = find(files, path.replace('files/', ''))
  if (!file) return null
  return query.get('alt') === 'media' ? { bytes: file.bytes } : { json: driveFile(file) }
}

function dropbox(files: CloudFile[], path: string, body: string, { headers }: IncomingMessage): Reply | null {
  if (path === 'users/get_current_account') return { json: { email: 'member@cloud.example' } }
  if (path === 'files/list_folder')
    return {
      json: {
        entries: files.map(({ id, name, bytes }) => ({
          ...{ '.tag': 'file', id, name, path_lower: id, path_display: id, size: bytes.length },
          server_modified: '2026-01-01T00:00:00Z',
        })),
        has_more: false,
      },
    }
  const given = path === 'files/download' ? String(headers['dropbox-api-arg']) : body
  const file = find(files, (JSON.parse(given) as { path: string }).path)
  if (!file) return null
  return path === 'files/download' ? { bytes: file.bytes } : { json: { size: file.bytes.length } }
}

const ONE_DRIVE = 'a-drive'

function oneDrive(files: CloudFile[], path: string): Reply | null {
  if (path === 'me') return { json: { mail: 'member@cloud.example' } }
  if (path === 'me/drive/root/children')
    return {
      json: {
        value: files.map(({ id, name, type, bytes }) => ({
          ...{ id, name, size: bytes.length, file: { mimeType: type }, parentReference: { driveId: ONE_DRIVE } },
          lastModifiedDateTime: '2026-01-01T00:00:00Z',
          thumbnails: [{ medium: { url: 'https://thumbnails.example/file' } }],
        })),
      },
    }
  const [, id, what] = new RegExp(`^drives/${ONE_DRIVE}/items/([^/]+)(/content)?$`).exec(path) ?? []
  const file = find(files, id)
  if (!file) return null
  return what ? { bytes: file.bytes } : { json: { size: file.bytes.length } }
}
