import { z } from 'zod'
import { type Given, whole } from '../kit/config.server.ts'

export const NOTIFICATION_SETTINGS = {
  MAIL_BOUNCE_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{16,200}$/)
    .optional()
    .describe(
      '16 letters, digits and dashes or more; a mail provider that sends them may tell which addresses take no mail',
    ),
  KEEP_SENT_WEBHOOKS_DAYS: whole(1, 3650, 30, 'number of days'),
}

export type NotificationsConfig = ReturnType<typeof resolveNotifications>

export const resolveNotifications = (given: Given<typeof NOTIFICATION_SETTINGS>) => ({
  mailBounceToken: given.MAIL_BOUNCE_TOKEN,
  keepSentWebhooksDays: given.KEEP_SENT_WEBHOOKS_DAYS,
})
