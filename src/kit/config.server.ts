import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { Failure } from './failure.ts'
import { isLoopback } from './loopback.ts'
import { DECIMAL, toCents } from './money.ts'

// The only file that reads process.env. A wrong setting stops the start with its name, what was given and what is allowed.

/** Categories that earn no bonus unless the operator says otherwise: as good as money. */
export const DEFAULT_BONUS_EXCLUDED = ['gift-cards', 'crypto', 'prepaid']

const flag = z.enum(['0', '1']).transform((value) => value === '1')
const port = z.coerce.number().int().min(0).max(65535)
const address = z.url({ protocol: /^https?$/ })

/** Every setting; its description says what may be given. */
export const Settings = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe('development, production or test'),
  PORT: port.default(3000).describe('a whole number from 0 to 65535'),
  HOST: z.string().min(1).default('127.0.0.1').describe('an address to listen on, such as 127.0.0.1 or 0.0.0.0'),
  PUBLIC_URL: address.optional().describe('the address customers use, such as https://shop.example'),
  TRUST_PROXY: flag.default(false).describe('1 when a proxy in front overwrites X-Forwarded-For, otherwise 0'),
  DATA_DIR: z.string().min(1).default('./data').describe('a folder that may be written'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('postgres://user:password@host:5432/name; leave it out for the embedded database'),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(16).describe('a whole number from 2 to 200'),
  STORE_NAME: z.string().trim().min(1).max(40).default('Primo').describe('1 to 40 characters'),
  SECRET: z.string().min(32).optional().describe('at least 32 characters; generated into DATA_DIR when left out'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('debug, info, warn, error or silent'),
  RATE_LIMIT_SCALE: z.coerce.number().min(0).max(1000).default(1).describe('a factor from 0 (no limits) to 1000'),
  OIDC_ISSUER: address.optional().describe('the address of an identity provider, such as https://id.example'),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe("the shop's client id at the identity provider"),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe("the shop's client secret at the identity provider"),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('smtp://user:password@host:587'),
  MAIL_FROM: z
    .string()
    .min(3)
    .default('Primo <shop@localhost>')
    .describe("a sender, such as 'Primo <shop@shop.example>'"),
  MAIL_BOUNCE_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{16,200}$/)
    .optional()
    .describe(
      '16 letters, digits and dashes or more; a mail provider that sends them may tell which addresses take no mail',
    ),
  MAX_DIGITAL_FILE_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(5000)
    .default(100)
    .describe('a whole number of megabytes from 1 to 5000'),
  CLAMD: z
    .string()
    .regex(/^(\[[0-9a-f:]+\]|[\w.-]+):\d{1,5}$/i)
    .optional()
    .describe('the address of a ClamAV daemon, such as 127.0.0.1:3310'),
  GEO_URL: address
    .refine((url) => url.includes('{ip}'))
    .optional()
    .describe('an address that holds {ip} and answers JSON with country_code'),
  GEO_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z-]{1,60}$/)
    .optional()
    .describe("a header of the proxy that holds the visitor's country, such as CF-IPCountry"),
  RATES_URL: address.optional().describe('an address that answers JSON with rates for one US dollar'),
  AI_URL: address
    .refine((url) => !/[?#]|\/\/[^/]*@/.test(url))
    .optional()
    .describe('an address that speaks chat completions, such as https://api.openai.com/v1'),
  AI_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/)
    .optional()
    .describe('the key that opens AI_URL, without spaces'),
  AI_MODEL: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/)
    .optional()
    .describe('the name of a model at AI_URL, without spaces'),
  AI_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(25)
    .default(20)
    .describe('a whole number of seconds from 1 to 25'),
  SUPPORT_ANSWERS_WITHIN_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(336)
    .default(24)
    .describe('a whole number of hours from 1 to 336'),
  BONUS_PERCENT: z.coerce
    .number()
    .int()
    .min(0)
    .max(100)
    .default(15)
    .describe('a whole number of percent from 0 (no bonus) to 100'),
  BONUS_CAP: z.string().regex(DECIMAL).default('15.00').describe('dollars and cents, such as 15.00'),
  BONUS_EXCLUDED: z
    .string()
    .regex(/^(none|[a-z0-9-]{1,40}( *, *[a-z0-9-]{1,40}){0,49})$/)
    .default(DEFAULT_BONUS_EXCLUDED.join(','))
    .describe('ids of categories with commas between them, such as gift-cards,crypto,prepaid; or none'),
  METRICS_PORT: port.optional().describe('a port of its own for /metrics, a whole number from 0 to 65535'),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('at least 16 characters; /metrics then answers whoever sends them'),
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional().describe('the address of a collector, such as http://localhost:4318'),
  PAYPAL_CLIENT_ID: z.string().min(1).optional().describe("the provider's client id"),
  PAYPAL_CLIENT_SECRET: z.string().min(1).optional().describe("the provider's client secret"),
  PAYPAL_WEBHOOK_ID: z.string().min(1).optional().describe('the id the provider gave the webhook'),
  PAYPAL_ENVIRONMENT: z.enum(['live', 'sandbox']).default('sandbox').describe('live or sandbox'),
  RISK_CHECKS: z
    .enum(['on', 'watch'])
    .default('on')
    .describe('on, or watch: purchases are judged and written down, and none is stopped'),
  PAYMENTS_SANDBOX: flag.optional().describe('1 to use the built-in payment sandbox, 0 to do without'),
})
type Settings = z.infer<typeof Settings>

export type Config = ReturnType<typeof resolveConfig>

/** Reads and checks the settings. Throws a Failure whose message is one line that names the setting and the mend. */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const read = Settings.safeParse(given)
  if (!read.success) {
    const name = String(read.error.issues[0]!.path[0]) as keyof Settings
    const allowed = Settings.shape[name].description
    const isSecret = /SECRET|TOKEN|KEY$|URL$/.test(name)
    throw new Failure(
      500,
      `${name}: ${isSecret ? 'the value' : JSON.stringify(given[name])} is not allowed; give ${allowed}.`,
    )
  }
  return resolveConfig(read.data)
}

function resolveConfig(settings: Settings) {
  const dataDir = resolve(settings.DATA_DIR)
  const hasPaypal = settings.PAYPAL_CLIENT_ID !== undefined && settings.PAYPAL_CLIENT_SECRET !== undefined
  refuseForgotten(settings)
  if (hasPaypal && settings.PAYMENTS_SANDBOX) {
    throw new Failure(
      500,
      'PAYMENTS_SANDBOX: the built-in sandbox refuses to run beside PAYPAL_CLIENT_ID; leave one of them out.',
    )
  }
  const isSandboxOn = !hasPaypal && (settings.PAYMENTS_SANDBOX ?? settings.NODE_ENV !== 'production')
  return {
    mode: settings.NODE_ENV,
    port: settings.PORT,
    host: settings.HOST,
    publicUrl: settings.PUBLIC_URL?.replace(/\/$/, ''),
    isProxyTrusted: settings.TRUST_PROXY,
    dataDir,
    databaseUrl: settings.DATABASE_URL,
    databasePool: settings.DATABASE_POOL,
    storeName: settings.STORE_NAME,
    givenSecret: settings.SECRET,
    logLevel: settings.LOG_LEVEL,
    rateLimitScale: settings.RATE_LIMIT_SCALE,
    oidc: settings.OIDC_ISSUER
      ? { issuer: settings.OIDC_ISSUER, clientId: settings.OIDC_CLIENT_ID!, clientSecret: settings.OIDC_CLIENT_SECRET! }
      : undefined,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    mailBounceToken: settings.MAIL_BOUNCE_TOKEN,
    maxFileBytes: settings.MAX_DIGITAL_FILE_MB * 1024 * 1024,
    clamd: settings.CLAMD,
    geoUrl: settings.GEO_URL,
    geoHeader: settings.GEO_HEADER?.toLowerCase(),
    ratesUrl: settings.RATES_URL,
    ai: settings.AI_URL
      ? {
          url: settings.AI_URL.replace(/\/+$/, ''),
          key: settings.AI_KEY!,
          model: settings.AI_MODEL!,
          patienceMs: settings.AI_TIMEOUT_SECONDS * 1000,
        }
      : undefined,
    answersWithinHours: settings.SUPPORT_ANSWERS_WITHIN_HOURS,
    bonus: {
      percent: settings.BONUS_PERCENT,
      capCents: toCents(settings.BONUS_CAP),
      excluded: settings.BONUS_EXCLUDED === 'none' ? [] : settings.BONUS_EXCLUDED.split(',').map((id) => id.trim()),
    },
    metricsPort: settings.METRICS_PORT,
    metricsToken: settings.METRICS_TOKEN,
    tracesUrl: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    riskChecks: settings.RISK_CHECKS,
    isSandboxOn,
    paypal: hasPaypal
      ? {
          clientId: settings.PAYPAL_CLIENT_ID!,
          clientSecret: settings.PAYPAL_CLIENT_SECRET!,
          webhookId: settings.PAYPAL_WEBHOOK_ID,
          environment: settings.PAYPAL_ENVIRONMENT,
        }
      : undefined,
  }
}

/** Settings that are only right together. */
function refuseForgotten(settings: Settings) {
  const { PUBLIC_URL, PAYPAL_CLIENT_ID: id, PAYPAL_CLIENT_SECRET: secret } = settings
  if (settings.NODE_ENV === 'development' && PUBLIC_URL && !isLoopback(new URL(PUBLIC_URL).hostname))
    throw new Failure(500, 'NODE_ENV: PUBLIC_URL is for customers, so set NODE_ENV=production.')
  const { OIDC_ISSUER: issuer } = settings
  for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const) {
    if (issuer && !settings[name]) throw new Failure(500, `${name}: not set; give it beside OIDC_ISSUER.`)
    if (!issuer && settings[name]) throw new Failure(500, `OIDC_ISSUER: not set; give it beside ${name}.`)
  }
  if (issuer?.startsWith('http:') && !isLoopback(new URL(issuer).hostname))
    throw new Failure(500, 'OIDC_ISSUER: give an https address; anybody could answer another.')
  refuseHalfAModel(settings)
  // the sandbox gives goods for no money, so a slip of the pen must not turn it on
  if (id && !secret) throw new Failure(500, 'PAYPAL_CLIENT_SECRET: not set; give it beside PAYPAL_CLIENT_ID.')
  if (secret && !id) throw new Failure(500, 'PAYPAL_CLIENT_ID: not set; give it beside PAYPAL_CLIENT_SECRET.')
  if (id && settings.PAYPAL_ENVIRONMENT === 'live' && !settings.PAYPAL_WEBHOOK_ID)
    throw new Failure(500, 'PAYPAL_WEBHOOK_ID: not set; live payments need the id PayPal gave the webhook.')
}

/** All of a model's settings or none. */
function refuseHalfAModel(settings: Settings) {
  const names = ['AI_URL', 'AI_KEY', 'AI_MODEL'] as const
  const given = names.find((name) => settings[name])
  const missing = names.find((name) => !settings[name])
  if (given && missing) throw new Failure(500, `${missing}: not set; give it beside ${given}.`)
  // a name without a dot is a neighbour's, as in a network of containers
  const { protocol, hostname } = new URL(settings.AI_URL ?? 'https://none')
  if (protocol === 'http:' && /[.:]/.test(hostname) && !isLoopback(hostname))
    throw new Failure(500, 'AI_URL: give an https address; anybody on the way could read the key.')
}

/**
 * A secret of this installation: SECRET when set, otherwise 32 random bytes kept in DATA_DIR/secret (mode 600).
 * In production with an outside database it must be given, so that all nodes share it.
 */
export function readSecret(config: Config): string {
  if (config.givenSecret) return config.givenSecret
  if (config.mode === 'production' && config.databaseUrl) {
    throw new Failure(500, 'SECRET: not set; give at least 32 characters, the same on every machine.')
  }
  const file = resolve(config.dataDir, 'secret')
  if (!existsSync(file)) {
    mkdirSync(config.dataDir, { recursive: true })
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  }
  return readFileSync(file, 'utf8').trim()
}

export const isColourWanted = process.stdout.isTTY === true && process.env.NO_COLOR === undefined
