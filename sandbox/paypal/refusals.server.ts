import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { required } from '../../src/kit/values/required.ts'

export type Problem = {
  issue: string
  field?: string
  value?: string
  location?: 'body' | 'path' | 'header'
  link?: object[]
}

/** Becomes the provider's error response. The transaction of the call rolls back. */
export class Refusal extends Error {
  readonly status: number
  readonly problems: Problem[]
  constructor(status: number, problems: Problem[] = []) {
    super(problems[0]?.issue ?? required(STATUSES[status], 'an entry of STATUSES').name)
    this.name = 'Refusal'
    this.status = status
    this.problems = problems
  }
}

type Tables = {
  statuses: Record<number, { name: string; message: string }>
  issues: Record<string, { status: number; description: string }>
}
const TABLES = readFileSync(join(import.meta.dirname, 'refusals.json'), 'utf8')
const { statuses: STATUSES, issues: ISSUES } = JSON.parse(TABLES) as Tables

export const refusalFor = (issue: string, where: Omit<Problem, 'issue'> = {}) =>
  new Refusal(required(ISSUES[issue], 'an entry of ISSUES').status, [{ issue, ...where }])

export const notFound = () => refusalFor('INVALID_RESOURCE_ID', { location: 'path' })

export function describeRefusal({ status, problems }: Refusal, debugId: string, links: object[] = []) {
  const { name, message } = required(STATUSES[status], 'an entry of STATUSES')
  const details = problems.map((problem) => ({
    ...problem,
    description: required(ISSUES[problem.issue], 'an entry of ISSUES').description,
  }))
  const help = `https://developer.paypal.com/docs/api/orders/v2/#error-${problems[0]?.issue ?? name}`
  return {
    name,
    message,
    debug_id: debugId,
    ...(details.length > 0 && { details }),
    links: [{ href: help, rel: 'information_link', method: 'GET' }, ...links],
  }
}
