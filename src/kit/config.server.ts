import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { Failure } from './failure.ts'
import { isLoopback } from './loopback.ts'

// The only file that reads process.env. A wrong setting stops the start with its name, what was given and what is allowed.

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
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('smtp://user:password@host:587'),
  MAIL_FROM: z
    .string()
    .min(3)
    .default('Primo <shop@localhost>')
    .describe("a sender, such as 'Primo <shop@shop.example>'"),
  MAX_DIGITAL_FILE_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(5000)
    .default(100)
    .describe('a whole number of megabytes from 1 to 5000'),
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
  SUPPORT_ANSWERS_WITHIN_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(336)
    .default(24)
    .describe('a whole number of hours from 1 to 336'),
  PAYPAL_CLIENT_ID: z.string().min(1).optional().describe("the provider's client id"),
  PAYPAL_CLIENT_SECRET: z.string().min(1).optional().describe("the provider's client secret"),
  PAYPAL_WEBHOOK_ID: z.string().min(1).optional().describe('the id the provider gave the webhook'),
  PAYPAL_ENVIRONMENT: z.enum(['live', 'sandbox']).default('sandbox').describe('live or sandbox'),
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
    const isSecret = /SECRET|URL$/.test(name)
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
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    maxFileBytes: settings.MAX_DIGITAL_FILE_MB * 1024 * 1024,
    geoUrl: settings.GEO_URL,
    geoHeader: settings.GEO_HEADER?.toLowerCase(),
    ratesUrl: settings.RATES_URL,
    answersWithinHours: settings.SUPPORT_ANSWERS_WITHIN_HOURS,
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
  // the sandbox gives goods for no money, so a slip of the pen must not turn it on
  if (id && !secret) throw new Failure(500, 'PAYPAL_CLIENT_SECRET: not set; give it beside PAYPAL_CLIENT_ID.')
  if (secret && !id) throw new Failure(500, 'PAYPAL_CLIENT_ID: not set; give it beside PAYPAL_CLIENT_SECRET.')
  if (id && settings.PAYPAL_ENVIRONMENT === 'live' && !settings.PAYPAL_WEBHOOK_ID)
    throw new Failure(500, 'PAYPAL_WEBHOOK_ID: not set; live payments need the id PayPal gave the webhook.')
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
