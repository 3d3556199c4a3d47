import type { Closed } from './messages.contract.ts'

/** Returns why a side cannot write. */
export function whyClosed(closed: Closed, name: string): string {
  const reasons: Record<Closed, string> = {
    own: `You ended this thread. ${name} can’t write to you.`,
    other: `${name} ended this thread.`,
    staff: 'We ended this thread.',
    gone: 'This account was deleted.',
    suspended: 'You can’t write to buyers while your account is suspended.',
    unasked: `The product was free. You can write after ${name} has written to you.`,
  }
  return reasons[closed]
}

const WEB_ADDRESS = /https?:|[a-z0-9-]\.[a-z]{2}/i

/** Detects web and email addresses. A word that contains a dot, such as a file name, counts as an address. */
export const hasWebAddress = (text: string): boolean => WEB_ADDRESS.test(text)

type Attempt = { messageId: string; text: string }

/** Returns the id for the next attempt to send. Only a retry of the same text reuses the id. */
export const idOf = (last: Attempt | null, text: string): string =>
  last?.text === text ? last.messageId : crypto.randomUUID()
