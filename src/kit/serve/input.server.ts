import type { FastifyRequest } from 'fastify'
import { checkValue } from './body.server.ts'
import type { Endpoint } from '../contract.ts'
import { Failure } from '../failure.ts'
import { firstOf } from '../values/required.ts'

/** Returns the cache key of an input, independent of the order of its fields. */
export function keyOf({ line }: Endpoint, input: unknown): string {
  const fields = Object.entries(input as Record<string, unknown>).filter(([, value]) => value !== undefined)
  return JSON.stringify([line, ...fields.sort(([a], [b]) => (a < b ? -1 : 1))])
}

export function readInput(
  endpoint: Endpoint,
  request: Pick<FastifyRequest, 'method' | 'params' | 'query' | 'body'>,
): unknown {
  const params = request.params as Record<string, string>
  checkValue(params)
  const given = request.method === 'GET' ? request.query : (request.body ?? {})
  if (request.method === 'GET') checkValue(given)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Failure(400, 'The body must be a JSON object.')
  for (const name of Object.keys(params))
    if (name in given) throw new Failure(400, `${name} stands in the path already.`)
  const input = endpoint.input.safeParse({ ...given, ...params })
  if (input.success) return input.data
  const issue = firstOf(input.error.issues)
  const field = issue.path.join('.')
  if (String(issue.path[0]) in params) throw new Failure(404, 'Not found')
  throw new Failure(400, field ? `${field}: ${issue.message}` : issue.message, 'invalid', { details: { field } })
}
