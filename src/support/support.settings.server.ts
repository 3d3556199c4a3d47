import { z } from 'zod'
import { type Given, needAll, whole } from '../kit/config.server.ts'
import { readHours } from './hours.rules.ts'

export const SUPPORT_SETTINGS = {
  SUPPORT_HOURS: z
    .string()
    .refine((text) => readHours(text) !== null)
    .optional()
    .describe("when people answer, such as 'Mon-Fri 09:00-18:00 Europe/Berlin'"),
  MAIL_INBOUND_ADDRESS: z
    .email()
    .optional()
    .describe('the address to which customers reply, such as support@shop.example'),
  MAIL_INBOUND_TOKEN: z
    .string()
    .regex(/^[\w-]{20,100}$/)
    .optional()
    .describe('the token of the service that delivers those replies, 20 to 100 letters, digits, - and _'),
  SUPPORT_ANSWERS_WITHIN_HOURS: whole(1, 336, 24, 'number of hours'),
}

export type SupportConfig = ReturnType<typeof resolveSupport>

export function resolveSupport(given: Given<typeof SUPPORT_SETTINGS>) {
  needAll(given, ['MAIL_INBOUND_ADDRESS', 'MAIL_INBOUND_TOKEN'])
  return {
    answersWithinHours: given.SUPPORT_ANSWERS_WITHIN_HOURS,
    supportHours: given.SUPPORT_HOURS === undefined ? null : readHours(given.SUPPORT_HOURS),
    mailIn:
      given.MAIL_INBOUND_ADDRESS && given.MAIL_INBOUND_TOKEN
        ? { address: given.MAIL_INBOUND_ADDRESS, token: given.MAIL_INBOUND_TOKEN }
        : null,
  }
}
