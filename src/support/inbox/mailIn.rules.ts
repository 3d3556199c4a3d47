import type { MailIn } from './mailIn.contract.ts'

export const readMail = (mail: MailIn) =>
  'From' in mail ? { from: mail.From, subject: mail.Subject, text: mail.TextBody, messageId: mail.MessageID } : mail

/** Returns the person's own text of a mail reply, without the quoted mail and the signature. */
export function ownWords(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const end = lines.findIndex((line, i) => {
    if (/^\s*(?:-- ?|_{5,}|-{3,}\s*Original Message\s*-{3,})$/i.test(line)) return true
    // Matches 'On Mon, Nov 23, 2026, Primo wrote:', which some mail programs split into two lines.
    return /^\s*On\b.{5,200}$/.test(line) && [line, lines[i + 1] ?? ''].some((one) => /\bwrote:\s*$/.test(one))
  })
  return (end < 0 ? lines : lines.slice(0, end))
    .filter((line) => !line.startsWith('>'))
    .join('\n')
    .trim()
}

/** The token in a subject such as 'Re: Primo has answered your message [c-0123456789abcdef0123]'. */
export const tokenIn = (subject: string): string | null => /\[c-([0-9a-f]{20})\]/.exec(subject)?.[1] ?? null
