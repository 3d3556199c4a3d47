// Made by `npm run tables` from reviewRequests.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('reviewRequests.sql', import.meta.url))

export type DecideDueInput = { days: number; limit: number }
export type DecideDueRow = { userId: string; productId: string; isAsked: boolean; title: string; email: string | null }
// Decides about due requests, each once: a concurrent job skips locked rows. `email` is null without consent to such mail.
export const decideDue = find<DecideDueInput, DecideDueRow>('decideDue')

export type ListAskedInput = { userId: string; limit: number }
export type ListAskedRow = { json: string }
// Open requests of the last 60 days, newest first.
export const listAsked = find<ListAskedInput, ListAskedRow>('listAsked')
