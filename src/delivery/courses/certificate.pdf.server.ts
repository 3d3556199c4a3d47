import { makePdf } from '../../kit/pdf/paper.server.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { nameDay } from './certificate.rules.ts'
import type { Certificate } from './learning.contract.ts'

type CertificateInput = { account: string; certificate: Certificate; name: string; storeName: string; checkUrl: string }

/** Renders a certificate of completion as an A4 PDF. The same certificate gives the same bytes. */
export function toCertificatePdf({
  account,
  certificate,
  name,
  storeName,
  checkUrl,
}: CertificateInput): Promise<Buffer> {
  const { number, title, seller, lessons, completedAt } = certificate
  const about = { account, title: `Certificate ${number}`, author: storeName, createdAt: new Date(completedAt) }
  return makePdf(about, (paper) => {
    paper.heading(1, 'Certificate of completion')
    paper.heading(2, name)
    paper.paragraph(`has completed all ${plural(lessons, 'lesson')} of the course`)
    paper.heading(2, title)
    paper.paragraph(`by ${seller}, on ${nameDay(completedAt)} (UTC).`)
    paper.heading(2, 'Number')
    paper.paragraph(number)
    paper.paragraph(`Anybody can check it at ${checkUrl}`)
    paper.paragraph(
      `${storeName} confirms that the owner of the account marked each lesson as done. It is not proof of identity or of an exam.`,
      { isMuted: true },
    )
    paper.noteUnknownLetters('Letters that this document’s font does not have are shown as a question mark.')
  })
}
