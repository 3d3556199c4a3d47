import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { operatorFailure } from './failure.ts'
import { isLoopback } from './loopback.ts'
import { firstOf, lastOf } from './values/required.ts'

// Reads process.env; no other file does. Each room declares its settings as described zod types and converts them. This
// file has the settings of kit. app/settings.server.ts lists the rooms.

type Shape = Record<string, z.ZodType>
export type Given<S extends Shape> = z.output<z.ZodObject<S>>
export type Environment = Record<string, string | undefined>

export const flag = z.enum(['0', '1']).transform((value) => value === '1')
export const port = z.coerce.number().int().min(0).max(65535)
export const address = z.url({ protocol: /^https?$/ })
export const whole = (least: number, most: number, usual: number, unit = 'number') =>
  z.coerce.number().int().min(least).max(most).default(usual).describe(`a whole ${unit} from ${least} to ${most}`)

export const KIT_SETTINGS = {
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe('development, production or test'),
  PORT: port.default(3000).describe('a whole number from 0 to 65535'),
  HOST: z.string().min(1).default('127.0.0.1').describe('an address to listen on, such as 127.0.0.1 or 0.0.0.0'),
  PUBLIC_URL: address.optional().describe('the address customers use, such as https://shop.example'),
  HSTS_DAYS: whole(0, 3650, 730).describe(
    'a whole number of days from 0 to 3650; 0 sends no Strict-Transport-Security',
  ),
  HSTS_SUBDOMAINS: flag.default(false).describe('1 when all subdomains of the host in PUBLIC_URL use TLS, otherwise 0'),
  TRUST_PROXY: flag.default(false).describe('1 when a proxy in front overwrites X-Forwarded-For, otherwise 0'),
  DATA_DIR: z.string().min(1).default('./data').describe('a folder that may be written'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('postgres://user:password@host:5432/name; leave it out for the embedded database'),
  MIGRATE_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe(
      'the same database for the owner of the tables; the role of DATABASE_URL then only reads and writes rows',
    ),
  POOLER_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('the database of DATABASE_URL by way of PgBouncer'),
  READ_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('a streaming replica of DATABASE_URL, for its role'),
  READ_DATABASE_SECONDS: whole(1, 60, 5, 'number of seconds'),
  DATABASE_POOL: whole(2, 200, 16),
  STORE_NAME: z.string().trim().min(1).max(40).default('Primo').describe('1 to 40 characters'),
  SECRET: z.string().min(32).optional().describe('at least 32 characters; generated into DATA_DIR when left out'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('debug, info, warn, error or silent'),
  RATE_LIMIT_SCALE: z.coerce.number().min(0).max(1000).default(1).describe('a factor from 0 (no limits) to 1000'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('smtp://user:password@host:587'),
  MAIL_FROM: z
    .string()
    .min(3)
    .default('Primo <shop@localhost>')
    .describe("a sender, such as 'Primo <shop@shop.example>'"),
  KEEP_MAILS_DAYS: whole(1, 3650, 90, 'number of days'),
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional().describe('the address of a collector, such as http://localhost:4318'),
}

export type Config = ReturnType<typeof resolveKit>

export function resolveKit(given: Given<typeof KIT_SETTINGS>) {
  if (given.NODE_ENV === 'development' && given.PUBLIC_URL && !isLoopback(new URL(given.PUBLIC_URL).hostname))
    throw operatorFailure('NODE_ENV: PUBLIC_URL is for customers, so set NODE_ENV=production.')
  const [owner, shop] = [given.MIGRATE_DATABASE_URL, given.DATABASE_URL].map((url) => url && new URL(url))
  if (owner && (!shop || owner.host !== shop.host || owner.pathname !== shop.pathname))
    throw operatorFailure('MIGRATE_DATABASE_URL: give the server and database of DATABASE_URL, with another user.')
  for (const name of ['POOLER_DATABASE_URL', 'READ_DATABASE_URL'] as const)
    if (given[name] && !given.DATABASE_URL) throw operatorFailure(`DATABASE_URL: not set; give it beside ${name}.`)
  return {
    mode: given.NODE_ENV,
    port: given.PORT,
    host: given.HOST,
    publicUrl: given.PUBLIC_URL?.replace(/\/$/, ''),
    strictTransport:
      given.HSTS_DAYS === 0
        ? undefined
        : `max-age=${given.HSTS_DAYS * 86_400}${given.HSTS_SUBDOMAINS ? '; includeSubDomains' : ''}`,
    isProxyTrusted: given.TRUST_PROXY,
    dataDir: resolve(given.DATA_DIR),
    databaseUrl: given.DATABASE_URL,
    addresses: given.DATABASE_URL && {
      url: given.DATABASE_URL,
      ownerUrl: given.MIGRATE_DATABASE_URL ?? given.DATABASE_URL,
    },
    poolerUrl: given.POOLER_DATABASE_URL,
    replica: given.READ_DATABASE_URL
      ? { url: given.READ_DATABASE_URL, mostSeconds: given.READ_DATABASE_SECONDS }
      : undefined,
    databasePool: given.DATABASE_POOL,
    storeName: given.STORE_NAME,
    givenSecret: given.SECRET,
    logLevel: given.LOG_LEVEL,
    rateLimitScale: given.RATE_LIMIT_SCALE,
    smtpUrl: given.SMTP_URL,
    mailFrom: given.MAIL_FROM,
    keepMailsDays: given.KEEP_MAILS_DAYS,
    tracesUrl: given.OTEL_EXPORTER_OTLP_ENDPOINT,
  }
}

/** Parses the settings of `shape`. Throws a Failure with one line: the wrong setting and the allowed values. */
export function readSettings<S extends Shape>(shape: S, env: Environment = process.env): Given<S> {
  const given: Environment = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  for (const name of Object.keys(shape).filter(isSecretName)) {
    const path = given[`${name}_FILE`]
    if (path === undefined) continue
    if (given[name] !== undefined) throw operatorFailure(`${name}: given twice; leave out ${name} or ${name}_FILE.`)
    given[name] = readSecretFile(`${name}_FILE`, path)
  }
  const read = z.object(shape).safeParse(given)
  if (read.success) return read.data
  const name = String(firstOf(read.error.issues).path[0])
  const shown = isSecretName(name) ? 'the value' : JSON.stringify(given[name])
  throw operatorFailure(`${name}: ${shown} is not allowed; give ${shape[name]!.description}.`)
}

/** Returns true for a secret setting, which may come from the file in `<name>_FILE` instead of the environment. */
export const isSecretName = (name: string): boolean => /SECRET|TOKEN|PASSWORD|KEY$|URL$/.test(name)

function readSecretFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw operatorFailure(
      `${name}: the file cannot be read (${(error as NodeJS.ErrnoException).code}); give the path of a file with the value.`,
    )
  }
}

const MAX_EDITS = 2
/** Shorter names resemble variables of other programs. */
const MIN_LENGTH = 8

export function findMisspelt(shape: Shape, env: Environment = process.env): string[] {
  const known = Object.keys(shape).flatMap((name) => (isSecretName(name) ? [name, `${name}_FILE`] : [name]))
  return Object.keys(env).flatMap((name) => {
    if (known.includes(name) || name.length < MIN_LENGTH) return []
    const meant = known.find((other) => isNear(name, other))
    return meant ? [`${name}: the shop has no such setting. Do you mean ${meant}?`] : []
  })
}

function isNear(a: string, b: string): boolean {
  if (b.length < MIN_LENGTH || Math.abs(a.length - b.length) > MAX_EDITS) return false
  const at = (numbers: number[], i: number) => numbers[i] ?? Infinity
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(Math.min(at(next, j) + 1, at(row, j + 1) + 1, at(row, j) + (letter === other ? 0 : 1)))
    row = next
  }
  return lastOf(row) <= MAX_EDITS
}

export function needAll<Name extends string>(given: Partial<Record<Name, unknown>>, names: Name[]) {
  const present = names.find((name) => given[name] !== undefined)
  const missing = names.find((name) => given[name] === undefined)
  if (present && missing) throw operatorFailure(`${missing}: not set; give it beside ${present}.`)
}

/** Requires SECRET in production with an external database, because all nodes of a database must share it. */
export function readSecret(config: Pick<Config, 'givenSecret' | 'mode' | 'databaseUrl' | 'dataDir'>): string {
  if (config.givenSecret) return config.givenSecret
  if (config.mode === 'production' && config.databaseUrl) {
    throw operatorFailure('SECRET: not set; give at least 32 characters, the same on every machine.')
  }
  const file = resolve(config.dataDir, 'secret')
  if (!existsSync(file)) {
    mkdirSync(config.dataDir, { recursive: true })
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  }
  return readFileSync(file, 'utf8').trim()
}
