import { finished } from 'node:stream'
import { Failure } from '../../kit/failure.ts'
import { handle, handleRaw, type PageOf, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { COMMON, PERSONAL } from '../../kit/serve/headers.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { drain } from '../../uploads/signedPut.server.ts'
import { isDay, maskOf } from './codeLines.rules.ts'
import type { CodeParts } from './codeParts.rules.ts'
import { takeInCodes } from './intake.server.ts'
import { TOO_LARGE } from './readLines.server.ts'
import { getCodeStock, MAX_BYTES, putCodesBack, setLowStock, voidCodes } from './stock.contract.ts'
import { codesPath } from './stock.rules.ts'
import { findStocked, readLow, readStock, returnUnseen, saveLow, voidFree } from './stock.store.server.ts'
import type { CodeVault } from './vault.server.ts'

const MAX_MS = 10 * 60_000

const lists: Limit[] = [{ per: 'account', count: 60, seconds: 3600, isShared: true }]
const looks: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]
const changes: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]

const NO_CODES = new Failure(409, 'This product doesn’t sell codes. Choose Codes first.', 'no_codes')

export const stockRoutes = (vault: CodeVault): Route[] => [
  handleRaw(
    `POST ${codesPath(':id') as '/api/products/:id/codes'}` as const,
    {
      access: 'member',
      about:
        'Adds codes to a product of the caller: a text with one code a line, or with `text/csv` a table of codes and last days. ' +
        '`expires` is the last day of codes without one, in UTC; `preview` adds nothing. Answers how many are new and which lines add nothing.',
      body: 'stream',
      bodyLimit: MAX_BYTES,
      limits: lists,
    },
    async (page) => {
      const clock = setTimeout(() => page.stream.destroy(), MAX_MS)
      finished(page.stream, () => clearTimeout(clock))
      try {
        if (Number(page.header('content-length') ?? 0) > MAX_BYTES) throw TOO_LARGE
        const list = await takeIn(page, vault)
        const headers = { ...COMMON, 'content-type': 'application/json', 'cache-control': PERSONAL }
        return { status: 200, headers, body: JSON.stringify(list) }
      } finally {
        await drain(page.stream, MAX_BYTES)
      }
    },
  ),

  handle(getCodeStock, { limits: looks }, async ({ id: productId, state, after }, { user, db }) => {
    await findStocked(db, user.id, productId)
    const { counts, returnable, codes, next } = await readStock(db, { productId, state, after, marks: vault.marks })
    return {
      ...{ counts, returnable },
      lowAt: await readLow(db, productId),
      codes: codes.map(({ id, state, canReturn, createdAt, expiresAt, ...sealed }) => ({
        ...{ id, state, canReturn, ...shownParts(vault.tryOpen(sealed)) },
        ...{ addedAt: createdAt.toISOString(), expiresAt: expiresAt?.toISOString() ?? null },
      })),
      next,
    }
  }),

  handle(voidCodes, { limits: changes }, async ({ id, codeId }, { user, db }) => {
    await findStocked(db, user.id, id)
    return { voided: await voidFree(db, id, codeId ?? null) }
  }),

  handle(putCodesBack, { limits: changes }, async ({ id, codeId }, { user, db }) => {
    await findStocked(db, user.id, id)
    return { returned: await returnUnseen(db, { productId: id, codeId: codeId ?? null, marks: vault.marks }) }
  }),

  handle(setLowStock, { limits: changes }, async ({ id, lowAt }, { user, db }) => {
    await findStocked(db, user.id, id)
    await saveLow(db, id, lowAt)
    return { lowAt }
  }),
]

const shownParts = (parts: CodeParts | null) => ({
  mask: parts ? maskOf(parts.code) : '••••',
  hasPin: Boolean(parts?.pin),
  hasSerial: Boolean(parts?.serial),
})

const OF_VARIANTS = new Failure(409, 'Its variants have the codes. Add them to one of those.', 'has_variants')

type CodesPage = PageOf<'POST /api/products/:id/codes', 'member'>

async function takeIn({ db, user, params, query, header, stream }: CodesPage, vault: CodeVault) {
  const productId = params.id
  if (!isUuid(productId)) throw new Failure(404, 'Product not found')
  const { delivery, hasVariants } = await findStocked(db, user.id, productId)
  if (delivery !== 'code') throw NO_CODES
  if (hasVariants) throw OF_VARIANTS
  const day = query.get('expires') ?? ''
  if (day !== '' && !isDay(day, new Date().toISOString().slice(0, 10)))
    throw new Failure(400, 'expires: Give a day that is not over, such as 2027-12-31', 'invalid', {
      details: { field: 'expires' },
    })
  const asked = {
    ...{ sellerId: user.id, productId, day, isPreview: query.get('preview') === 'true' },
    isTable: header('content-type')?.startsWith('text/csv') ?? false,
  }
  return takeInCodes({ db, vault }, asked, stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
}
