import type * as z from 'zod/mini'
import { Failure } from './failure.ts'

// One call over the wire for both sides.

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Access = 'public' | 'member' | 'admin'
export type Line = `${Method} /${string}`

export const STEP_UP_REQUIRED = 'step_up_required'
export const proofMissing = () => new Failure(403, 'Please verify your identity to continue', STEP_UP_REQUIRED)

export type Endpoint<I extends z.ZodMiniType = z.ZodMiniType, R extends z.ZodMiniType = z.ZodMiniType> = {
  line: Line
  access: Access
  /** Requires a fresh proof of identity; always for staff. */
  stepUp: boolean
  about: string
  input: I
  reply: R
  status: 200 | 201 | 202
}

export type Input<E extends Endpoint> = z.input<E['input']>
export type Reply<E extends Endpoint> = z.output<E['reply']>

/**
 * Declares a call. `line` is method and path as the API table writes them: 'PUT /api/cart/:id'.
 * `input` holds path parameters, query and body in one strict object; `about` is its line in the API page.
 */
export function endpoint<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  line: Line,
  {
    status = 200,
    stepUp = false,
    access,
    ...rest
  }: Omit<Endpoint<I, R>, 'line' | 'status' | 'stepUp'> & { status?: 200 | 201 | 202; stepUp?: boolean },
): Endpoint<I, R> {
  return { line, status, access, stepUp: stepUp || access === 'admin', ...rest }
}

/** 'PUT /api/cart/:id' + { id, quantity } -> the method, '/api/cart/7', and the rest for the body or query. */
export function fillPath(line: Line, input: Record<string, unknown> = {}) {
  const [method, pattern] = line.split(' ') as [Method, string]
  const rest = { ...input }
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  return { method, path, rest }
}
