export type Problem = {
  message: string
  code?: string
  param?: string
  decline_code?: string
  charge?: string
  payment_intent?: object
}

const TYPES: Record<number, string> = { 402: 'card_error', 429: 'rate_limit_error', 500: 'api_error', 503: 'api_error' }

export class Refusal extends Error {
  readonly status: number
  readonly problem: Problem
  readonly type: string
  constructor(status: number, problem: Problem, type = TYPES[status] ?? 'invalid_request_error') {
    super(problem.message)
    this.name = 'Refusal'
    this.status = status
    this.problem = problem
    this.type = type
  }
}

export const notFound = (kind: string, id: string) =>
  new Refusal(404, { code: 'resource_missing', param: 'id', message: `No such ${kind}: '${id.slice(0, 64)}'` })

export const describeRefusal = ({ type, problem }: Refusal) => ({ error: { type, ...problem } })
