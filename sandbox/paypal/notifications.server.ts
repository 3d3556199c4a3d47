import { createPublicKey, createVerify } from 'node:crypto'
import { handleRaw, type RawRoute } from '../../src/kit/handle.server.ts'
import { type Call, type Sandbox, sandboxRead, sandboxWrite } from './call.server.ts'
import { AUTH_ALGO, certificateUrl, signedText } from './deliveries.server.ts'
import { notFound, Refusal, type Problem } from './refusal.ts'
import { memberText } from './text.rules.ts'

const PAGE_SIZE = 10
const LARGEST_PAGE = 500

export function notificationRoutes(sandbox: Sandbox): RawRoute[] {
  const { keys } = sandbox
  const publicKey = createPublicKey(keys.certificate)
  return [
    handleRaw(
      'GET /sandbox/paypal/v1/notifications/certs/:name',
      { access: 'public', about: "The certificate of the sandbox's webhook signatures.", isFromBrowser: false },
      async ({ params }) =>
        params.name === keys.certificateName
          ? { status: 200, headers: { 'content-type': 'application/x-pem-file' }, body: keys.certificate }
          : { status: 404, body: '' },
    ),

    sandboxRead(
      sandbox,
      'POST /sandbox/paypal/v1/notifications/verify-webhook-signature',
      { about: 'Whether an event came from here.' },
      async (call) => {
        const claims = readClaims(call)
        const { transmission_id: id, transmission_time: time, webhook_id: webhookId } = claims
        const isOurs =
          claims.auth_algo === AUTH_ALGO &&
          claims.cert_url === certificateUrl(sandbox.base, keys) &&
          createVerify('sha256')
            .update(signedText(id, time, webhookId, memberText(call.raw, 'webhook_event')!))
            .verify(publicKey, claims.transmission_sig, 'base64')
        return { status: 200, body: { verification_status: isOurs ? 'SUCCESS' : 'FAILURE' } }
      },
    ),

    sandboxRead(
      sandbox,
      'GET /sandbox/paypal/v1/notifications/webhooks-events',
      { about: 'The events of a time, delivered or not, newest first.' },
      async ({ query }) => ({ status: 200, body: await listEvents(sandbox, query) }),
    ),

    sandboxRead(
      sandbox,
      'GET /sandbox/paypal/v1/notifications/webhooks-events/:id',
      { about: 'One event.' },
      async ({ params }) => {
        const { rows } = await sandbox.pool.query<{ body: string }>('SELECT body FROM sandbox.events WHERE id = $1', [
          params.id,
        ])
        if (!rows[0]) throw notFound()
        return { status: 200, body: JSON.parse(rows[0].body) as object }
      },
    ),

    sandboxWrite(
      sandbox,
      'POST /sandbox/paypal/v1/notifications/webhooks-events/:id/resend',
      { about: 'Delivers an event once more.' },
      async ({ params }, client) => {
        const { rows } = await client.query<{ body: string }>(
          `UPDATE sandbox.events SET deliveries_left = deliveries_left + 1, attempts = 0, due_at = clock_timestamp()
           WHERE id = $1 RETURNING body`,
          [params.id],
        )
        if (!rows[0]) throw notFound()
        return { status: 202, body: JSON.parse(rows[0].body) as object }
      },
    ),
  ]
}

const CLAIMS = [
  'auth_algo',
  'cert_url',
  'transmission_id',
  'transmission_sig',
  'transmission_time',
  'webhook_id',
] as const

function readClaims({ body }: Call): Record<(typeof CLAIMS)[number], string> {
  const given = body as Record<string, unknown>
  const missing = CLAIMS.filter((name) => typeof given[name] !== 'string')
  const problems: Problem[] = missing.map((name) => ({
    issue: 'MISSING_REQUIRED_PARAMETER',
    field: `/${name}`,
    location: 'body',
  }))
  if (typeof given.webhook_event !== 'object' || given.webhook_event === null) {
    problems.push({ issue: 'MISSING_REQUIRED_PARAMETER', field: '/webhook_event', location: 'body' })
  }
  if (problems.length > 0) throw new Refusal(400, problems)
  return given as Record<(typeof CLAIMS)[number], string>
}

async function listEvents({ pool, base }: Sandbox, query: URLSearchParams) {
  const size = Math.min(Math.max(Number.parseInt(query.get('page_size') ?? '', 10) || PAGE_SIZE, 1), LARGEST_PAGE)
  const { rows } = await pool.query<{ id: string; body: string }>(
    `SELECT id, body FROM sandbox.events
     WHERE created_at >= coalesce($1::timestamptz, '-infinity') AND created_at <= coalesce($2::timestamptz, 'infinity')
       AND ($3::text IS NULL OR resource_id = $3) AND ($4::text IS NULL OR event_type = $4)
       AND ($5::text IS NULL OR (created_at, id) < (SELECT created_at, id FROM sandbox.events WHERE id = $5))
     ORDER BY created_at DESC, id DESC LIMIT $6`,
    [
      timeOf(query, 'start_time'),
      timeOf(query, 'end_time'),
      query.get('transaction_id'),
      query.get('event_type'),
      query.get('after'),
      size,
    ],
  )
  const here = (more: Record<string, string>) => {
    const search = new URLSearchParams({ ...Object.fromEntries(query), ...more })
    return `${base}/v1/notifications/webhooks-events?${search}`
  }
  const last = rows.at(-1)
  return {
    events: rows.map(({ body }) => JSON.parse(body) as object),
    count: rows.length,
    links: [
      { href: here({}), rel: 'self', method: 'GET' },
      ...(last && rows.length === size ? [{ href: here({ after: last.id }), rel: 'next', method: 'GET' }] : []),
    ],
  }
}

function timeOf(query: URLSearchParams, name: string): string | null {
  const given = query.get(name)
  if (given === null) return null
  const time = /^\d{4}-/.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(time)) throw new Refusal(400, [{ issue: 'INVALID_PARAMETER_SYNTAX', field: name, value: given }])
  return new Date(time).toISOString()
}
