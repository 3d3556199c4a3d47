import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Failure } from '../../kit/failure.ts'
import { type Answer, handleRaw, type MemberPage, type Route, type User } from '../../kit/handle.server.ts'
import type { SocketDoor } from '../../kit/serve/options.server.ts'
import { required } from '../../kit/values/required.ts'
import { originOf } from '../address.server.ts'
import type { UploadContext } from '../keep.server.ts'
import type { RemoteSettings } from '../uploads.settings.server.ts'
import { type Companion, startCompanion } from './companion.server.ts'
import { openImports } from './import.server.ts'
import { passOn } from './reply.server.ts'
import { openSignIn } from './signIn.server.ts'
import { COMPANION_PATH, type RemoteSource } from './sources.ts'

// Google Drive, Dropbox and OneDrive. Each call passes the shop's checks, then goes to Companion in this process.

type RemoteContext = UploadContext & { sources: RemoteSettings; secret: string }
export type Remote = ReturnType<typeof openRemote>

export function openRemote(context: RemoteContext) {
  const { sources, secret, publicUrl } = context
  let starting: Promise<Companion> | null = null

  function companionOf(origin: string) {
    starting ??= startCompanion(sources, { secret, origin }).catch((error: unknown) => {
      starting = null
      throw error
    })
    return starting
  }

  const { connect, comeBack } = openSignIn({ publicUrl, secret, companionOf })
  const { importFile, isOwner } = openImports(context, companionOf)

  async function pass(page: MemberPage, method: 'GET' | 'POST') {
    const companion = await companionOf(originOf(publicUrl, page.header))
    return passOn(await companion.ask({ method, path: page.url, token: page.header('uppy-auth-token'), session: {} }))
  }

  const socket: SocketDoor = {
    path: /^\/companion\/api\/([0-9a-f-]{36})$/,
    async open(request: IncomingMessage, stream: Duplex, head: Buffer, user: User) {
      const token = required(request.url, 'the url of the request').slice(`${COMPANION_PATH}/api/`.length)
      if (!starting || !isOwner(token, user.id)) throw new Failure(404, 'Not found')
      const companion = await starting
      companion.openSocket(request, stream, head)
    },
  }

  return {
    routes: (Object.keys(sources) as RemoteSource[]).flatMap((source) =>
      routesOf(source, { connect, comeBack, pass, importFile }),
    ),
    socket,
    close: async () => (await starting?.catch(() => null))?.close(),
  }
}

type Calls = ReturnType<typeof openSignIn> &
  Pick<ReturnType<typeof openImports>, 'importFile'> & {
    pass: (page: MemberPage, method: 'GET' | 'POST') => Promise<Answer>
  }

function routesOf(source: RemoteSource, { connect, comeBack, pass, importFile }: Calls): Route[] {
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
