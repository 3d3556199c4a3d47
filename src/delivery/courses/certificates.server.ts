import type { Config } from '../../kit/config.server.ts'
import { Failure } from '../../kit/failure.ts'
import { type Answer, handleRaw, type Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { COMMON } from '../../kit/serve/headers.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { renderPage } from '../../identity/pages/page.server.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { attachment } from '../../uploads/range.rules.ts'
import { certificatePath, nameDay, readNumber } from './certificate.rules.ts'
import { certify, findByNumber, findCertificate } from './certificates.store.server.ts'
import { findTaken } from './learning.store.server.ts'
import { required } from '../../kit/values/required.ts'

type Options = { config: Pick<Config, 'storeName'>; publicUrl: string }

export function certificateRoutes({ config: { storeName }, publicUrl }: Options): Route[] {
  const look = { storeName, isTls: publicUrl.startsWith('https:') }
  return [
    handleRaw(
      'GET /api/learn/:id/certificate',
      { access: 'member', about: 'The certificate of a completed course as PDF.' },
      async ({ params, db, user }): Promise<Answer> => {
        const [lineId, userId] = [params.id, user.id]
        const course = isUuid(lineId) ? await findTaken(db, userId, lineId) : undefined
        const earned = course && (await findCertificate(db, userId, lineId))
        if (!earned) throw new Failure(404, 'Not found')
        if (earned.name === null)
          await inTransaction(db, (tx) => certify(tx, { userId, lineId, course, lessons: earned.lessons }))
        const certificate = required(await findCertificate(db, userId, lineId), 'the certificate')
        if (certificate.name === null)
          throw new Failure(409, 'Add your name to your profile first. It stands on the certificate.', 'name_missing')
        const checkUrl = new URL(certificatePath(certificate.number), publicUrl).href
        const { toCertificatePdf } = await import('./certificate.pdf.server.ts')
        const body = await toCertificatePdf({
          account: userId,
          certificate,
          name: certificate.name,
          storeName,
          checkUrl,
        })
        return {
          status: 200,
          headers: {
            ...COMMON,
            'content-type': 'application/pdf',
            'content-disposition': attachment(`certificate-${certificate.number}.pdf`),
            'content-security-policy': "default-src 'none'; sandbox",
            'cache-control': 'private, no-store',
          },
          body,
        }
      },
    ),

    handleRaw(
      'GET /certificates/:number',
      {
        access: 'public',
        about: 'Says whether a certificate with this number was issued, and for which course.',
        limits: [{ per: 'address', count: 30, seconds: 60 }],
      },
      async ({ params, db }): Promise<Answer> => {
        const number = readNumber(params.number)
        const found = number && (await findByNumber(db, number))
        if (!found)
          return renderPage(look, {
            title: 'No such certificate',
            status: 404,
            lead: 'No certificate has this number. Compare it with the document once more.',
            content: html``,
          })
        if (!found.isValid)
          return renderPage(look, {
            title: 'Withdrawn certificate',
            lead: `${found.number} was issued for “${found.title}” and does not hold: the course was refunded.`,
            content: html``,
          })
        return renderPage(look, {
          title: 'Certificate of completion',
          lead: `${found.name ?? 'A former member'} has completed “${found.title}”.`,
          content: html`<div class="prose">
            <p>Number ${found.number}</p>
            <p>
              ${plural(found.lessons, 'lesson')} by ${found.seller}, completed on ${nameDay(found.completedAt)} (UTC).
            </p>
          </div>`,
        })
      },
    ),
  ]
}
