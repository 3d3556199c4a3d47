import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import * as z from 'zod/mini'
import { Failure } from '../../kit/failure.ts'
import { type Answer, handleRaw, type MemberPage, type Page, type Route, type User } from '../../kit/handle.server.ts'
import { createSeal } from '../../kit/seal.server.ts'
import { parseJson } from '../../kit/serve/body.server.ts'
import { COMMON, JSON_HEADERS, PERSONAL } from '../../kit/serve/headers.server.ts'
import type { SocketDoor } from '../../kit/serve/options.server.ts'
import { originOf } from '../address.server.ts'
import { addUpload, checkDailyQuota, whileCounted } from '../budget/budget.server.ts'
import { cleanFileName } from '../fileName.rules.ts'
import { storeUpload, type UploadContext } from '../keep.server.ts'
import { forgetUpload } from '../quarantine.server.ts'
import { tooLarge } from '../storing.server.ts'
import { MAX_IMAGE_BYTES } from '../uploads.contract.ts'
import type { RemoteSettings } from '../uploads.settings.server.ts'
import { type Companion, type CompanionAnswer, type GrantSession, startCompanion } from './companion.server.ts'
import { COMPANION_PATH, type RemoteSource } from './sources.ts'
import { firstOf, required } from '../../kit/values/required.ts'

// Google Drive, Dropbox and OneDrive. The browser calls the paths of Companion; each call passes the shop's checks and then goes
// to Companion inside this process. The sign-in of a cloud stays in a sealed cookie between its two requests.

const SIGN_IN_SECONDS = 15 * 60
const MAX_MS = 3600_000
const LIFE_SECONDS = 2 * 3600
const MAX_HOPS = 5
const OWNED_MS = 2 * 3600_000

type RemoteContext = UploadContext & { sources: RemoteSettings; secret: string }
export type Remote = ReturnType<typeof openRemote>

const RemoteFile = z.strictObject({
  kind: z.enum(['image', 'file']),
  name: z.string().check(z.maxLength(1000)),
  type: z.nullish(z.string().check(z.maxLength(200))),
})

export function openRemote(context: RemoteContext) {
  const { sources, secret, publicUrl } = context
  const seal = createSeal(secret, 'companion sign-in')
  const isTls = publicUrl?.startsWith('https:') ?? false
  const owners = new Map<string, string>()
  let starting: Promise<Companion> | null = null

  function companionOf(origin: string) {
    starting ??= startCompanion(sources, { secret, origin }).catch((error: unknown) => {
      starting = null
      throw error
    })
    return starting
  }

  function readSession({ header, user }: MemberPage): GrantSession {
    const sealed = /(?:^|;\s*)primo-cloud=([\w-]+)/.exec(header('cookie') ?? '')?.[1]
    const opened = sealed && seal.open(Buffer.from(sealed, 'base64url'), user.id)
    return opened ? (JSON.parse(opened.toString()) as GrantSession) : {}
  }

  function cookieOf(session: GrantSession | null, { user }: MemberPage) {
    const value = session ? seal.seal(JSON.stringify(session), user.id).toString('base64url') : ''
    const seconds = session ? SIGN_IN_SECONDS : 0
    return `primo-cloud=${value}; Path=${COMPANION_PATH}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isTls ? '; Secure' : ''}`
  }

  /** Follows Companion's redirects to itself, so that no browser sees the token of a cloud in an address. */
  async function askThrough(page: MemberPage, path: string, session: GrantSession): Promise<CompanionAnswer> {
    const origin = originOf(publicUrl, page.header)
    const companion = await companionOf(origin)
    for (let hop = 0; ; hop++) {
      const answer = await companion.ask({ method: 'GET', path, session })
      const to = answer.location?.startsWith(`${origin}/`) ? answer.location.slice(origin.length) : answer.location
      if (!to?.startsWith(`${COMPANION_PATH}/`)) return answer
      if (hop === MAX_HOPS) throw new Failure(502, 'The sign-in did not come to an end. Please try again.')
      path = to
    }
  }

  async function connect(page: MemberPage, source: RemoteSource): Promise<Answer> {
    const state = Buffer.from(JSON.stringify({ origin: originOf(publicUrl, page.header) })).toString('base64')
    const session: GrantSession = {}
    const path = `${COMPANION_PATH}/${source}/connect?${new URLSearchParams({ state }).toString()}`
    const { location } = await askThrough(page, path, session)
    if (!location) throw new Failure(502, 'The sign-in could not start. Please try again.')
    return {
      status: 302,
      headers: { ...COMMON, location, 'set-cookie': cookieOf(session, page), 'cache-control': PERSONAL },
    }
  }

  async function comeBack(page: MemberPage, source: RemoteSource): Promise<Answer> {
    const query = page.url.split('?')[1] ?? ''
    const { status, type, body } = await askThrough(
      page,
      `${COMPANION_PATH}/${source}/redirect?${query}`,
      readSession(page),
    )
    // without the session that began the sign-in, Companion leads nowhere
    const isPage = type.startsWith('text/html') && (status === 200 || status === 400)
    const given = isPage ? body.toString() : abortedPage(originOf(publicUrl, page.header))
    // a page that closes at once may be gone before its message is read
    const html = given.replaceAll('window.close()', 'setTimeout(() => window.close(), 500)')
    return {
      status: isPage ? status : 400,
      headers: {
        ...COMMON,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyOf(html),
        'cache-control': PERSONAL,
        'referrer-policy': 'no-referrer',
        'set-cookie': cookieOf(null, page),
      },
      body: html,
    }
  }

  async function pass(page: MemberPage, method: 'GET' | 'POST'): Promise<Answer> {
    const companion = await companionOf(originOf(publicUrl, page.header))
    const answer = await companion.ask({ method, path: page.url, token: page.header('uppy-auth-token'), session: {} })
    return { status: answer.status, headers: { ...JSON_HEADERS, 'cache-control': PERSONAL }, body: replyOf(answer) }
  }

  async function importFile(page: MemberPage): Promise<Answer> {
    const origin = originOf(publicUrl, page.header)
    const userId = page.user.id
    const file = readFile(page)
    await checkDailyQuota(page.db, context, userId)
    const companion = await companionOf(origin)
    const isImage = file.kind === 'image'
    const maxBytes = isImage ? Math.min(MAX_IMAGE_BYTES, context.maxBytes) : context.maxBytes
    const claim = { isImage, fileName: cleanFileName(file.name), contentType: file.type ?? null }
    const endpoint = companion.expect((stream, sizeBytes) =>
      whileCounted(page.db, userId, async () => {
        if (sizeBytes !== null && sizeBytes > maxBytes) throw tooLarge(maxBytes)
        return `${origin}/objects/${await keep(page, { stream, maxBytes, claim, announcedBytes: sizeBytes || maxBytes })}`
      }),
    )
    const answer = await companion.ask({
      ...{ method: 'POST', path: page.url, token: page.header('uppy-auth-token'), session: {} },
      body: { endpoint, protocol: 'multipart', httpMethod: 'PUT', useFormData: false, metadata: { name: file.name } },
    })
    const { token } = JSON.parse(replyOf(answer)) as { token?: string }
    if (token) {
      owners.set(token, userId)
      setTimeout(() => owners.delete(token), OWNED_MS).unref()
    }
    return { status: answer.status, headers: { ...JSON_HEADERS, 'cache-control': PERSONAL }, body: replyOf(answer) }
  }

  type Arriving = Pick<Parameters<typeof storeUpload>[2], 'stream' | 'maxBytes' | 'claim'> & { announcedBytes: number }

  async function keep({ db, user }: MemberPage, { stream, announcedBytes, ...rest }: Arriving): Promise<string> {
    const userId = user.id
    const { id } = await db
      .transaction()
      .execute((tx) =>
        addUpload(tx, context, { userId, fileName: rest.claim.fileName, announcedBytes, lifeSeconds: LIFE_SECONDS }),
      )
    const clock = setTimeout(() => stream.destroy(), MAX_MS)
    try {
      if (!(await storeUpload(db, context.storage, { id, userId, stream, ...rest })))
        throw new Failure(409, 'The upload took too long. Please try again.', 'expired')
      return id
    } catch (error) {
      await forgetUpload(db, id)
      throw error
    } finally {
      clearTimeout(clock)
    }
  }

  const socket: SocketDoor = {
    path: /^\/companion\/api\/([0-9a-f-]{36})$/,
    async open(request: IncomingMessage, stream: Duplex, head: Buffer, user: User) {
      const token = required(request.url, 'the url of the request').slice(`${COMPANION_PATH}/api/`.length)
      if (!starting || owners.get(token) !== user.id) throw new Failure(404, 'Not found')
      const companion = await starting
      companion.openSocket(request, stream, head)
    },
  }

  return {
    routes: (Object.keys(sources) as RemoteSource[]).flatMap((source) => routesOf(source)),
    socket,
    close: async () => (await starting?.catch(() => null))?.close(),
  }

  function routesOf(source: RemoteSource): Route[] {
    const root = `${COMPANION_PATH}/${source}` as const
    const access = 'member'
    const often = [{ per: 'account', count: 240, seconds: 60 }] as const
    const seldom = [{ per: 'account', count: 30, seconds: 3600, isShared: true }] as const
    return [
      handleRaw(
        `GET ${root}/connect`,
        { access, about: 'Leads a pop-up window to the sign-in of the cloud.', limits: [...seldom] },
        (page) => connect(page, source),
      ),
      handleRaw(
        `GET ${root}/redirect`,
        { access, about: 'Takes the answer of that sign-in, and hands its token to the page that began it.' },
        (page) => comeBack(page, source),
      ),
      ...(['list', 'list/*', 'logout'] as const).map((rest) =>
        handleRaw(
          `GET ${root}/${rest}`,
          { access, about: `Companion: ${rest} of the cloud, with the token in Uppy-Auth-Token.`, limits: [...often] },
          (page) => pass(page, 'GET'),
        ),
      ),
      handleRaw(
        `POST ${root}/refresh-token`,
        { access, about: 'Companion: a new token of the cloud for an expired one.', body: 'bytes', limits: [...often] },
        (page) => pass(page, 'POST'),
      ),
      handleRaw(
        `POST ${root}/get/*`,
        {
          access,
          about:
            'Imports a file of the cloud as an upload of the caller. The body is `{ kind, name, type }`. The answer is the token of a websocket at /companion/api/{token}, which tells the progress and the URL.',
          body: 'bytes',
          limits: [{ per: 'account', count: 20, seconds: 3600, isShared: true }],
        },
        importFile,
      ),
    ]
  }
}

function readFile({ body, header }: Page) {
  if (!/^application\/json\b/.test(header('content-type') ?? '')) throw new Failure(415, 'The body must be JSON.')
  const read = RemoteFile.safeParse(parseJson(body))
  if (!read.success) throw new Failure(400, firstOf(read.error.issues).message, 'invalid')
  return read.data
}

const abortedPage = (origin: string) =>
  `<!doctype html><meta charset="utf-8"><title>Sign-in aborted</title><script>window.opener?.postMessage({ error: true }, ${JSON.stringify(origin)}); window.close()</script><p>This sign-in took too long, or another account began it. Close this window and try again.</p>`

/** Lets exactly the scripts of this page run. */
function policyOf(html: string): string {
  const hashes = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script]) => `'sha256-${createHash('sha256').update(required(script, 'a script')).digest('base64')}'`,
  )
  return `default-src 'none'; script-src ${hashes.join(' ') || "'none'"}; frame-ancestors 'none'; base-uri 'none'`
}

type Item = { icon?: string; thumbnail?: string | null; isFolder?: boolean }

/** Companion's JSON without addresses of images at other servers; an error page becomes a message. */
function replyOf({ status, type, body }: CompanionAnswer): string {
  if (!type.startsWith('application/json'))
    return status === 401
      ? JSON.stringify({ message: 'Authorization required' })
      : JSON.stringify({ message: 'The cloud did not answer as expected. Please try again.' })
  const reply = JSON.parse(body.toString()) as { items?: Item[] }
  if (!reply.items) return body.toString()
  const items = reply.items.map((item) => ({ ...item, icon: item.isFolder ? 'folder' : 'file', thumbnail: null }))
  return JSON.stringify({ ...reply, items })
}
