import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

export type Claims = { email?: string; email_verified?: boolean; given_name?: string; family_name?: string }

/** An identity provider on loopback. The person in `current` is signed in there and has given consent. */
export async function openIdentityProvider(callback: string, port = 0) {
  const people = new Map<string, Claims>()
  const state = { current: '', isDeclining: false, isForging: false }
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const address = server.address() as { port: number }
  const issuer = `http://127.0.0.1:${address.port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'shop', client_secret: 'a secret of the shop', redirect_uris: [callback] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people.get(id) }) }),
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['only for tests'] },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const serve = provider.callback()

  async function handle(request: Parameters<typeof serve>[0], response: Parameters<typeof serve>[1]) {
    if (state.isForging && request.url === '/token') forgeToken(response)
    if (!request.url?.startsWith('/interaction/')) return serve(request, response)
    const result = state.isDeclining ? { error: 'access_denied' } : { login: { accountId: state.current } }
    return provider.interactionFinished(request, response, result)
  }

  return {
    issuer,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'shop', OIDC_CLIENT_SECRET: 'a secret of the shop' },
    people,
    state,
    /** Visits the provider like a browser. Returns the address to which it sends the browser back. */
    async visit(url: string): Promise<string> {
      const jar = new Map<string, string>()
      for (let at = url, hops = 0; hops < 8; hops++) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          jar.set(name, value)
        }
        const next = response.headers.get('location')
        if (!next) throw new Error(`the provider stopped with ${response.status}: ${await response.text()}`)
        at = new URL(next, issuer).href
        if (!at.startsWith(issuer)) return at
      }
      throw new Error('the provider leads in circles')
    },
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}

/** Makes the signature of the identity token invalid. */
function forgeToken(response: { end: unknown }) {
  const end = (response.end as (body: string) => unknown).bind(response)
  response.end = (body: unknown) =>
    end(
      String(body).replace(
        /("id_token":"[^".]+\.[^".]+\.)([^"]+)/,
        (_, head: string, signature: string) => head + [...signature].reverse().join(''),
      ),
    )
}
