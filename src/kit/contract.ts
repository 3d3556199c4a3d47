import type * as z from 'zod/mini'
import { Failure } from './failure.ts'

// One call over the wire, as both sides see it. No framework, no DOM, no Node.

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Access = 'public' | 'member' | 'admin'
export type Line = `${Method} /${string}`

/** The code of a refusal that a proof of identity lifts. */
export const STEP_UP_REQUIRED = 'step_up_required'
export const proofMissing = () => new Failure(403, 'Please verify your identity to continue', STEP_UP_REQUIRED)

export type Endpoint<I extends z.ZodMiniType = z.ZodMiniType, R extends z.ZodMiniType = z.ZodMiniType> = {
  line: Line
  access: Access
  /** Asks whoever sits there to show again who they are, unless they did so a moment ago. Always so for staff. */
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

/** 'PUT /api/cart/:id' + { id, quantity } -> the method, '/api/cart/7', and what is left for the body or query. */
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
