import { openBus } from '../src/kit/bus.server.ts'
import { createByteCache } from '../src/kit/serve/cache.server.ts'
import { readConfig } from '../src/app/settings.server.ts'
import { openDatabase } from '../src/kit/database.server.ts'
import { createLimiter } from '../src/kit/serve/limit.server.ts'
import { setLogLevel } from '../src/kit/log/log.server.ts'
import { createMailSeal } from '../src/kit/mail/mailSeal.server.ts'
import { serve } from '../src/kit/serve/serve.server.ts'
import { userRoute } from '../src/account/profile/currentUser.server.ts'
import { openIdentity } from '../src/identity/identity.server.ts'
import { openMails } from '../src/notifications/mail/mails.server.ts'

// Runs the identity room behind a real server, with a browser without JavaScript.

export async function openTestNode(url: string, settings: Record<string, string> = {}) {
  setLogLevel('silent')
  const config = readConfig({ NODE_ENV: 'test', RATE_LIMIT_SCALE: '0', ...settings })
  const database = openDatabase(url, { size: 6 })
  const bus = await openBus(url)
  const publicUrl = config.publicUrl ?? 'http://localhost'
  const secret = 'a secret that all nodes of this test share'
  const identity = await openIdentity({ config, database, bus, secret, publicUrl })
  const server = await serve({
    routes: [
      ...identity.routes,
      userRoute,
      ...openMails({ config, db: database.db, secret, publicUrl, sender: config.storeName }).routes,
    ],
    database,
    cache: createByteCache(bus),
    limiter: createLimiter({ scale: 0 }),
    identify: identity.identify,
    isVerified: identity.isVerified,
    isWorking: identity.isWorking,
    fallback: async ({ user }) => ({ status: 200, body: user ? `home of ${user.email}` : 'landing' }),
    publicUrl: undefined,
    isProxyTrusted: config.isProxyTrusted,
    host: '127.0.0.1',
    port: 0,
  })
  return {
    identity,
    database,
    bus,
    base: server.url,
    /** Returns the newest mail to an address and the path of its link. */
    async mailTo(recipient: string) {
      const mail = await database.db
        .selectFrom('mails')
        .select(['subject', 'bodyText', 'bodyHtml'])
        .where('recipient', '=', recipient)
        .orderBy('createdAt', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      const text = createMailSeal(secret).open(mail.bodyText, recipient)
      const link = /^[^:\n]+: (https?:\S+)$/m.exec(text)?.[1]
      return { ...mail, path: link ? link.slice(new URL(link).origin.length) : '' }
    },
    async close() {
      await server.close()
      await bus.close()
      await database.db.destroy()
    },
  }
}

export type TestNode = Awaited<ReturnType<typeof openTestNode>>

export type HttpAnswer = { status: number; headers: Headers; text: string; location: string | null }

/** Stores cookies and follows no redirect by itself. `headers` are sent with every request. */
export function openBrowser(base: string, headers: Record<string, string> = {}) {
  const jar = new Map<string, string>()

  async function send(path: string, init: RequestInit): Promise<HttpAnswer> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(base + path, {
      ...init,
      redirect: 'manual',
      headers: { ...(cookie && { cookie }), ...headers, ...(init.headers as Record<string, string>) },
    })
    for (const line of response.headers.getSetCookie()) keep(line)
    const { status } = response
    return {
      status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get('location'),
    }
  }

  function keep(line: string) {
    const [pair = '', ...attributes] = line.split('; ')
    const at = pair.indexOf('=')
    if (attributes.includes('Max-Age=0')) jar.delete(pair.slice(0, at))
    else jar.set(pair.slice(0, at), pair.slice(at + 1))
  }

  return {
    jar,
    get: (path: string, more: Record<string, string> = {}) => send(path, { headers: more }),
    post: (path: string, form: Record<string, string>, more: Record<string, string> = {}) =>
      send(path, { method: 'POST', body: new URLSearchParams(form), headers: more }),
    /** Returns the email of the account that is signed in here. */
    async whoAmI(at = base): Promise<string | null> {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(`${at}/api/auth/user`, { headers: { cookie } })
      return response.ok ? ((await response.json()) as { email: string }).email : null
    },
  }
}
