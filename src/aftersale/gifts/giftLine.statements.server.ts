// Made by `npm run tables` from giftLine.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('giftLine.sql', import.meta.url))

export type ReadStandingInput = { lineId: string }
export type ReadStandingRow = { isClosed: boolean }
export const readStanding = find<ReadStandingInput, ReadStandingRow>('readStanding')

export type ReadAboutInput = { giftId: string }
export type ReadAboutRow = { title: string; giver: string; isDisputed: boolean }
// The title and the giver of a gift. `is_disputed`: a lost dispute returned the money of its order.
export const readAbout = find<ReadAboutInput, ReadAboutRow>('readAbout')
