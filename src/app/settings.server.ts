import { ASSISTANT_SETTINGS, resolveAssistant } from '../assistant/assistant.settings.server.ts'
import { IDENTITY_SETTINGS, resolveIdentity } from '../identity/identity.settings.server.ts'
import { DELIVERY_SETTINGS, resolveDelivery } from '../delivery/delivery.settings.server.ts'
import { z } from 'zod'
import { type Environment, KIT_SETTINGS, readSettings, resolveKit } from '../kit/config.server.ts'
import { LOCALISATION_SETTINGS, resolveLocalisation } from '../localisation/localisation.settings.server.ts'
import { MONITORING_SETTINGS, resolveMonitoring } from '../monitoring/monitoring.settings.server.ts'
import { NOTIFICATION_SETTINGS, resolveNotifications } from '../notifications/notifications.settings.server.ts'
import { PURCHASES_SETTINGS, resolvePurchases } from '../purchases/purchases.settings.server.ts'
import { PAYMENTS_SETTINGS, resolvePayments } from '../payments/payments.settings.server.ts'
import { PAYPAL_SETTINGS, resolvePaypal } from '../providers/paypal/paypal.settings.server.ts'
import { resolveStripe, STRIPE_SETTINGS } from '../providers/stripe/stripe.settings.server.ts'
import { resolveUsdc, USDC_SETTINGS } from '../providers/usdc/usdc.settings.server.ts'
import { resolveReviews, REVIEWS_SETTINGS } from '../reviews/reviews.settings.server.ts'
import { resolveRisk, RISK_SETTINGS } from '../risk/risk.settings.server.ts'
import { resolveSelling, SELLING_SETTINGS } from '../selling/selling.settings.server.ts'
import { resolveSupport, SUPPORT_SETTINGS } from '../support/support.settings.server.ts'
import { resolveUploads, UPLOADS_SETTINGS } from '../uploads/uploads.settings.server.ts'

/** Every setting of the shop. The description lists the allowed values. */
export const SETTINGS = {
  ...KIT_SETTINGS,
  ...IDENTITY_SETTINGS,
  ...NOTIFICATION_SETTINGS,
  ...MONITORING_SETTINGS,
  ...LOCALISATION_SETTINGS,
  ...RISK_SETTINGS,
  ...UPLOADS_SETTINGS,
  ...PAYMENTS_SETTINGS,
  ...PAYPAL_SETTINGS,
  ...STRIPE_SETTINGS,
  ...USDC_SETTINGS,
  ...DELIVERY_SETTINGS,
  ...REVIEWS_SETTINGS,
  ...PURCHASES_SETTINGS,
  ...SELLING_SETTINGS,
  ...ASSISTANT_SETTINGS,
  ...SUPPORT_SETTINGS,
  TEXTS_DIR: z.string().min(1).optional().describe('a folder with your own terms.md, privacy.md and refunds.md'),
}

export type Config = ReturnType<typeof readConfig>

/** Reads the settings of all rooms. Throws a Failure with one line: the invalid setting and its fix. */
export function readConfig(env?: Environment) {
  const given = readSettings(SETTINGS, env)
  const kit = resolveKit(given)
  const stripe = resolveStripe(given)
  return {
    ...kit,
    ...resolveIdentity(given),
    ...resolveNotifications(given),
    ...resolveMonitoring(given),
    ...resolveLocalisation(given),
    ...resolveRisk(given),
    ...resolveUploads(given),
    ...resolvePayments(given),
    ...stripe,
    ...resolvePaypal(given, { mode: kit.mode, hasOther: stripe.stripe !== undefined }),
    ...resolveUsdc(given, { mode: kit.mode, isSandboxWanted: given.PAYMENTS_SANDBOX }),
    ...resolveDelivery(given),
    ...resolveReviews(given),
    ...resolvePurchases(given),
    ...resolveSelling(given),
    ...resolveAssistant(given),
    ...resolveSupport(given),
    textsDir: given.TEXTS_DIR,
  }
}
