import { expect, test } from 'vitest'
import { XPUB } from '../../../test/chain/chain.ts'
import { readConfig } from '../../app/settings.server.ts'
import { checkTrialDatabase } from './machine.checks.server.ts'

const PRODUCTION = { NODE_ENV: 'production' }
const OWN = { DATABASE_URL: 'postgres://a@b/c' }
const paypal = (PAYPAL_ENVIRONMENT: string) => ({
  ...{ PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret', PAYPAL_WEBHOOK_ID: 'w', PAYPAL_ENVIRONMENT },
})
const stripe = (mode: string) => ({ STRIPE_SECRET_KEY: `sk_${mode}_1`, STRIPE_WEBHOOK_SECRET: 'whsec_1' })
const usdc = (CRYPTO_CHAIN: string) => ({
  CRYPTO_XPUB: XPUB,
  CRYPTO_RPC_URLS: 'https://one.example,https://two.example',
  ...{ CRYPTO_CHAIN, CRYPTO_TOKEN: `0x${'1'.repeat(40)}`, CRYPTO_CONFIRMATIONS: '12' },
})

test.each([
  ['development', {}, null],
  ['production', PRODUCTION, /^the embedded PostgreSQL is for trials/],
  ['production with its own database', { ...PRODUCTION, ...OWN }, null],
  ["PayPal's sandbox", paypal('sandbox'), null],
  ['live PayPal', paypal('live'), /^live payments \(PayPal\)/],
  ['live PayPal in production', { ...PRODUCTION, ...paypal('live') }, /^live payments \(PayPal\)/],
  ["Stripe's test mode", stripe('test'), null],
  ['live Stripe', stripe('live'), /^live payments \(Stripe\)/],
  ['USDC on a test network', usdc('84532'), null],
  ['real USDC', usdc('8453'), /^live payments \(USDC\)/],
  ['several live providers', { ...paypal('live'), ...stripe('live') }, /^live payments \(PayPal, Stripe\)/],
  ['live providers with their own database', { ...OWN, ...paypal('live'), ...stripe('live') }, null],
])('grades the embedded database with %s', (_, env, says) => {
  const finding = checkTrialDatabase(readConfig(env))
  if (!says) return expect(finding).toBeNull()
  expect(finding).toMatchObject({ grade: 'warn', says: expect.stringMatching(says) })
  expect(finding).toMatchObject({ mend: expect.stringContaining('DATABASE_URL') })
})
