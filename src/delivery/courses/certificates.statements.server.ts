// Made by `npm run tables` from certificates.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('certificates.sql', import.meta.url))

export type CertifyInput = {
  number: string
  lineId: string
  title: string
  seller: string
  lessons: number
  userId: string
}
export type CertifyRow = Record<string, never>
// A missing name is filled in from the profile once.
export const certify = find<CertifyInput, CertifyRow>('certify')

export type FindOfLineInput = { lineId: string; userId: string }
export type FindOfLineRow = {
  number: string
  name: string | null
  title: string
  seller: string
  lessons: number
  completedAt: Date
}
export const findOfLine = find<FindOfLineInput, FindOfLineRow>('findOfLine')

export type FindByNumberInput = { number: string }
export type FindByNumberRow = {
  number: string
  name: string | null
  title: string
  seller: string
  lessons: number
  completedAt: Date
  isValid: boolean
}
// `is_valid` is false after a refund of the course.
export const findByNumber = find<FindByNumberInput, FindByNumberRow>('findByNumber')
