import { plural } from '../../localisation/plural.rules.ts'
import { MAX_COUNTED, MAX_RESENT, RESEND_DAYS } from '../../notifications/hooks/hooks.contract.ts'

/** Formats the number of failed deliveries, which the server counts only up to a limit. */
export const formatFailed = (count: number): string => count.toLocaleString('en') + (count < MAX_COUNTED ? '' : '+')

/** The question before all failed deliveries are sent again. */
export function describeResend(count: number): { title: string; about: string } {
  const isLimited = count > MAX_RESENT
  return {
    title: isLimited
      ? `Resend ${MAX_RESENT} of ${formatFailed(count)} failed deliveries?`
      : `Resend ${plural(count, 'failed delivery', 'failed deliveries')}?`,
    about: [
      `Sends the failed deliveries of the last ${RESEND_DAYS} days again, oldest first, with the same ids.`,
      'Skips tests and addresses that are off. If an address still fails, its other deliveries wait.',
      ...(isLimited ? [`At most ${MAX_RESENT} are sent at once. You can send the rest afterwards.`] : []),
    ].join(' '),
  }
}
